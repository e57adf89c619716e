/** `POST /api/v1/jobs/validate`: what `POST /api/v1/jobs` would say to the same request, and nothing done. */

import type { Middleware } from 'koa';
import type { JobValidation } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger.js';
import { type DraftDependencies, describeRequest, needsOf, receiveAndCheck } from '../receive-draft.js';
import { callerOf } from '../request-state.js';

export interface ValidateJobDependencies extends DraftDependencies {
  ledger: Ledger;
}

export function validateJob(dependencies: ValidateJobDependencies): Middleware {
  return async (ctx) => {
    const request = describeRequest(ctx);
    const check = async () => {
      const checked = await receiveAndCheck(request, dependencies);
      await dependencies.drafts.remove(request.draftId);
      return checked;
    };
    const { total, warnings } = await dependencies.admission.within('check', callerOf(ctx), check, needsOf(request));
    const balance = await dependencies.ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = {
      total,
      creditsRequired: total,
      balance,
      sufficient: dependencies.ledger.suffices(balance, total),
      ...(warnings.length > 0 && { warnings }),
    };
    ctx.body = validation;
  };
}
