/** Has the engine check a received body, and turns its refusal into the answer. */

import { ApiError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { CheckedBody, CheckRefusal, CheckReport, CheckRequest, Engine } from '../engine/engine.js';
import { EngineError } from '../engine/engine-error.js';
import { BodyAbortedError } from './received-bytes.js';

/** Resolves for a body that is fit to become a job, with its spool written. @throws ApiError with the codes of `CheckRefusalCode` */
export async function checkDraft(engine: Engine, request: CheckRequest): Promise<CheckedBody> {
  const report = await checkAndDraw(engine, request).catch((error: unknown) => {
    throw explained(error);
  });
  if ('refusal' in report) {
    throw refusalError(report.refusal);
  }
  return report;
}

/** What a check is ended for before it is done. */
function explained(error: unknown): unknown {
  switch (error instanceof EngineError ? error.code : undefined) {
    case 'cancelled':
      return new BodyAbortedError('The client went away while its body was checked', { cause: error });
    case 'out_of_time': {
      const message = 'The check of this job takes longer than it may. Split the job, or try again later.';
      return new ApiError('unavailable', message, {}, { 'Retry-After': '60' });
    }
    default:
      return error;
  }
}

/** Where the engine dies of a small job, its drawing may be at fault: then the job's chunk fails, and its credits are returned. */
async function checkAndDraw(engine: Engine, request: CheckRequest): Promise<CheckReport> {
  try {
    return await engine.check(request);
  } catch (error) {
    if (request.drawIfSmall && error instanceof EngineError && error.code === 'crash') {
      return engine.check({ ...request, drawIfSmall: false });
    }
    throw error;
  }
}

function refusalError({ code, message, line, issues, issueCount }: CheckRefusal): ApiError {
  return new ApiError(code, message, {
    ...(line !== undefined && { line }),
    ...(code === 'too_many_items' && { limit: LIMITS.ndjsonItems }),
    ...(issueCount > 0 && { issues, issueCount }),
  });
}
