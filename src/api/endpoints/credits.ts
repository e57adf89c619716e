/** `GET /api/v1/credits` (section 4.1). */

import type { Middleware } from 'koa';
import type { CreditBalance } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger-store.js';
import { callerOf } from '../request-state.js';

export function credits(ledger: Ledger): Middleware {
  return async (ctx) => {
    const balance: CreditBalance = { balance: await ledger.balance(callerOf(ctx).organisationId) };
    ctx.body = balance;
  };
}
