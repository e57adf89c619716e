/** Has the engine check a received body, turns refusals into API errors, and ends work for a client that has left. */

import type { ServerResponse } from 'node:http';
import { ApiError, unavailable } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import {
  type CheckedBody,
  type CheckRefusal,
  type CheckReport,
  type CheckRequest,
  type Engine,
  EngineError,
} from '../../engine/engine.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';

/**
 * Resolves for a body that can become a job, with its spool written. @throws ApiError with the code of a `CheckRefusal`
 */
export async function checkDraft(engine: Engine, request: CheckRequest): Promise<CheckedBody> {
  const report = await checkAndDraw(engine, request).catch((error: unknown) => {
    throw asApiError(error);
  });
  return accepted(report);
}

/** A report that refuses nothing. @throws ApiError with the code of a `CheckRefusal` */
export function accepted<T extends object>(report: { refusal: CheckRefusal } | T): T {
  if ('refusal' in report) {
    throw refusalError(report.refusal);
  }
  return report;
}

/**
 * Runs a check until the client disconnects: then the draft's files are removed, and the engine gives the check up.
 * @throws BodyAbortedError when the client disconnected: it would never learn the id of the job it pays for
 */
export async function whileConnected<T>(
  response: ServerResponse,
  draft: { remove(): Promise<void> },
  check: () => Promise<T>,
): Promise<T> {
  if (response.destroyed) {
    throw new BodyAbortedError('The client went away before its body was checked');
  }
  const giveUp = () => void draft.remove();
  response.once('close', giveUp);
  try {
    const checked = await check();
    requireClient(response);
    return checked;
  } catch (error) {
    // The engine checks between items that the files exist. If it was about to open one, it reports that it is missing.
    if (response.destroyed && error instanceof EngineError && error.code === 'io') {
      throw new BodyAbortedError('The client went away while its body was checked', { cause: error });
    }
    throw error;
  } finally {
    response.off('close', giveUp);
  }
}

/** @throws BodyAbortedError when the client disconnected: it would never learn the id of the job it pays for */
export function requireClient(response: ServerResponse): void {
  if (response.destroyed) {
    throw new BodyAbortedError('The client went away before its job was accepted');
  }
}

/** The error for a check, or the reading of a spreadsheet, that was ended early. */
export function asApiError(error: unknown): unknown {
  switch (error instanceof EngineError ? error.code : undefined) {
    case 'cancelled':
      return new BodyAbortedError('The client went away while its body was checked', { cause: error });
    case 'out_of_time': {
      const message = 'The check of this job takes longer than it may. Split the job, or try again later.';
      return unavailable(message, 60);
    }
    default:
      return error;
  }
}

/**
 * When the engine crashes on a small job, drawing may be the cause. Checks again without drawing: then the job is
 * accepted, its chunk fails and its credits are returned.
 */
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

/** Does work whose outcome only this client waits for. The signal is aborted when the client has disconnected. */
export async function untilGone<T>(
  { res }: { readonly res: ServerResponse },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const giveUp = () => gone.abort(new BodyAbortedError('The client went away before its answer was ready'));
  if (res.destroyed) giveUp();
  res.once('close', giveUp);
  try {
    return await work(gone.signal);
  } finally {
    res.off('close', giveUp);
  }
}
