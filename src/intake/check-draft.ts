/** Has the engine check a received body, and turns its refusal into the answer. */

import { rm } from 'node:fs/promises';
import { ApiError } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { CheckedBody, CheckRefusal, CheckReport, CheckRequest, Engine } from '../render/engine.js';
import { FarmCrashError } from '../render/farm-crash-error.js';

/** Attempts at a check that the farm dies under, by what else it was doing perhaps. */
const ATTEMPTS = 3;

/** Resolves for a body that is fit to become a job, with its spool written. @throws ApiError with the codes of `CheckRefusalCode` */
export async function checkDraft(engine: Engine, request: CheckRequest): Promise<CheckedBody> {
  const report = await checkInsistently(engine, request);
  if ('refusal' in report) {
    throw refusalError(report.refusal);
  }
  return report;
}

async function checkInsistently(engine: Engine, request: CheckRequest): Promise<CheckReport> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await engine.check(request);
    } catch (error) {
      const guilty = !(error instanceof FarmCrashError) || (error.taskStarted && error.tasksLost === 1);
      if (guilty || attempt === ATTEMPTS) {
        throw error;
      }
      await rm(request.spoolPath, { force: true });
    }
  }
}

function refusalError({ code, message, line, issues, issueCount }: CheckRefusal): ApiError {
  return new ApiError(code, message, {
    ...(line !== undefined && { line }),
    ...(code === 'too_many_items' && { limit: LIMITS.ndjsonItems }),
    ...(issueCount > 0 && { issues, issueCount }),
  });
}
