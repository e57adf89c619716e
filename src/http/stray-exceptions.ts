/**
 * Exceptions that no handler catches, such as those in a stream's callback, cost only the request that they belong to.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Middleware } from 'koa';
import type { Log } from '../log.js';
import { requestState } from './request-state.js';

/** The request that the running code works for. */
const requests = new AsyncLocalStorage<Context>();

/** Must be the first middleware. Callbacks of the request's own events count as its work too. */
export const rememberRequest: Middleware = (ctx, next) => {
  requests.enterWith(ctx);
  return next();
};

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
    const message = 'The request could not be answered; the fault is not yours.';
    const body = JSON.stringify({ error: 'internal_error', message, requestId });
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
