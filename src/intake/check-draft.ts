/** Has the engine check a received body, and turns its refusal into the answer. */

import type { ServerResponse } from 'node:http';
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

/**
 * Checks a draft for as long as its client waits for the answer, and no longer: the engine gives up a check whose files are gone.
 * @throws BodyAbortedError when the client went away: it would not learn the id of the job that it pays for
 */
export async function whileAwaited<T>(
  response: ServerResponse,
  draft: { remove(): Promise<void> },
  check: () => Promise<T>,
): Promise<T> {
  const giveUp = () => void draft.remove();
  response.once('close', giveUp);
  try {
    const checked = await check();
    if (response.destroyed) {
      throw new BodyAbortedError('The client went away before its job was accepted');
    }
    return checked;
  } catch (error) {
    // The engine looks for the files between items; where it was about to open one of them, it finds none.
    if (response.destroyed && error instanceof EngineError && error.code === 'io') {
      throw new BodyAbortedError('The client went away while its body was checked', { cause: error });
    }
    throw error;
  } finally {
    response.off('close', giveUp);
  }
}

/** The answer for a check that was ended before it was done. */
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

/** When the engine dies of a small job, its drawing may be at fault: then the job's chunk fails, and its credits are returned. */
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
