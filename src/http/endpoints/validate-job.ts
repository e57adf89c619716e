/** `POST /api/v1/jobs/validate`: what `POST /api/v1/jobs` would say to the same request, and nothing done. */

import type { Middleware } from 'koa';
import type { Ledger } from '../../credits/ledger.js';
import type { JobValidation } from '../../intake/responses.js';
import { type DraftRooms, describeRequest, receiveAndCheck } from '../receive-draft.js';
import { callerOf } from '../request-state.js';

export interface ValidateJobRooms extends DraftRooms {
  ledger: Ledger;
}

export function validateJob(rooms: ValidateJobRooms): Middleware {
  return async (ctx) => {
    const request = describeRequest(ctx);
    const { total } = await rooms.room.enter(callerOf(ctx).organisationId, async () => {
      const checked = await receiveAndCheck(request, rooms);
      await rooms.drafts.remove(request.draftId);
      return checked;
    });
    const balance = await rooms.ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = { total, creditsRequired: total, balance, sufficient: balance >= total };
    ctx.body = validation;
  };
}
