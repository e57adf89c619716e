/**
 * Turns every exception of an endpoint into the error object of section 7. Exceptions that no handler catches, such as
 * those in a stream's callback, end the process (`composition/serve.ts`).
 */

import type { Context, Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import { LostFilesError } from '../jobs/job-output.js';
import { asUnavailable } from '../jobs/unavailable.js';
import type { Log } from '../platform/log.js';
import { BodyAbortedError } from '../platform/body-aborted-error.js';
import { requestState } from './request-state.js';

const INTERNAL_ERROR = 'The request could not be answered; the fault is not yours.';
const LOST_FILES =
  'The service has lost the files of this job. Tell whoever runs it; delete the job, and make its codes again.';

/** Headers that describe a body, and not the error that is answered instead. */
const OF_THE_BODY = ['Accept-Ranges', 'ETag', 'Last-Modified'];

/** Answers a person with a page. Resolves with true when it did. */
export type AnswerPeople = (ctx: Context, error: ApiError) => Promise<boolean>;

/** Answers an `ApiError` in full. Logs any other error once and answers it without detail. */
export function answerErrors(log: Log, answerPeople?: AnswerPeople): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof BodyAbortedError || ctx.res.headersSent) {
        log.debug({ requestId: requestState(ctx).requestId, err: error }, 'request aborted');
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      const told = error instanceof ApiError ? error : unforeseen(ctx, error, log);
      // A range that cannot be sent is one of that body (RFC 9110, section 15.5.17).
      if (told.code !== 'range_not_satisfiable') {
        for (const header of OF_THE_BODY) ctx.remove(header);
      }
      ctx.set(told.headers);
      ctx.set('Cache-Control', 'no-store');
      if (!(await answerPeople?.(ctx, told))) {
        answer(ctx, told);
      }
    }
  };
}

function answer(ctx: Context, error: ApiError): void {
  const { requestId } = requestState(ctx);
  const body = Buffer.from(JSON.stringify({ error: error.code, message: error.message, requestId, ...error.members }));
  ctx.status = error.status;
  ctx.body = body;
  ctx.type = 'application/json';
  ctx.length = body.length;
}

function unforeseen(ctx: Context, error: unknown, log: Log): ApiError {
  const { requestId } = requestState(ctx);
  const unavailable = asUnavailable(error);
  if (unavailable !== undefined) {
    log.error({ requestId, err: error }, 'request refused: something that it needs is out of order');
    return unavailable;
  }
  log.error({ requestId, err: error }, 'request failed');
  return new ApiError('internal_error', error instanceof LostFilesError ? LOST_FILES : INTERNAL_ERROR);
}
