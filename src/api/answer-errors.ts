/**
 * Turns every exception of an endpoint into the error object of section 7. Exceptions that no handler catches, such as
 * those in a stream's callback, cost only the request that they belong to.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import { asUnavailable } from '../database/failures.js';
import type { Log } from '../platform/log.js';
import { BodyAbortedError } from '../platform/body-aborted-error.js';
import { requestState } from './request-state.js';

const INTERNAL_ERROR = 'The request could not be answered; the fault is not yours.';

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
  return new ApiError('internal_error', INTERNAL_ERROR);
}

/**
 * The request that the running code works for. While it is in use, every promise of the process costs more (Node.js 20): a poll
 * takes a tenth longer.
 */
const requests = new AsyncLocalStorage<Context>();

/** Time for which code may still run that worked for the last request. */
const FORGET_MS = 10_000;

/**
 * Remembers for which request code runs. Must come before all middleware that works for it later. Callbacks of the request's
 * own events count as its work too. @param isAwaited true for a request behind whose answer no code runs: an exception of its code is always caught
 */
export function rememberRequest(isAwaited: (ctx: Context) => boolean): Middleware {
  let open = 0;
  const forget = setTimeout(() => open === 0 && requests.disable(), FORGET_MS).unref();
  return (ctx, next) => {
    if (!isAwaited(ctx)) {
      open += 1;
      ctx.res.once('close', () => {
        open -= 1;
        forget.refresh();
      });
      requests.enterWith(ctx);
    }
    return next();
  };
}

/**
 * Logs an exception, and answers the request that it belongs to with 500, or aborts it. Called by the listener for
 * uncaught exceptions.
 * @returns false when it belongs to no request: then the state of the process is unknown
 */
export function answerStray(error: unknown, log: Log): boolean {
  const ctx = requests.getStore();
  if (ctx === undefined) {
    return false;
  }
  const { requestId } = requestState(ctx);
  log.error({ requestId, err: error }, 'request failed, and nobody caught the exception');
  ctx.respond = false;
  if (!ctx.res.headersSent && !ctx.res.destroyed) {
    const body = JSON.stringify({ error: 'internal_error', message: INTERNAL_ERROR, requestId });
    ctx.res.writeHead(500, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    });
    ctx.res.end(body, () => ctx.req.destroy());
  } else {
    ctx.res.destroy();
  }
  return true;
}
