/** `POST /api/v1/jobs/validate`: what `POST /api/v1/jobs` would answer, without creating a job. */

import type { Middleware } from 'koa';
import type { JobValidation } from '../../contract/response-schema.js';
import type { Ledger } from '../../credits/ledger-store.js';
import type { DraftFolder } from '../../jobs/files/drafts.js';
import { JobRequest } from '../job-request.js';
import { callerOf } from '../request-state.js';
import type { CreateJobDependencies } from './create-job.js';

export interface ValidateJobDependencies extends Pick<CreateJobDependencies, 'admission' | 'engine'> {
  drafts: DraftFolder;
  ledger: Ledger;
}

export function validateJob({ admission, engine, drafts, ledger }: ValidateJobDependencies): Middleware {
  return async (ctx) => {
    const request = new JobRequest(ctx, engine);
    const check = async () => {
      await using draft = drafts.create();
      await request.receive(draft);
      // Must be awaited here: the draft ends with this scope.
      return await request.check(draft, { drawIfSmall: false });
    };
    const { total, warnings, printedWidthMm } = await admission.within('check', callerOf(ctx), check, request.needs);
    const balance = await ledger.balance(callerOf(ctx).organisationId);
    const validation: JobValidation = {
      total,
      creditsRequired: total,
      balance,
      sufficient: ledger.suffices(balance, total),
      ...(printedWidthMm !== undefined && { printedWidthMm }),
      ...(warnings.length > 0 && { warnings }),
    };
    ctx.body = validation;
  };
}
