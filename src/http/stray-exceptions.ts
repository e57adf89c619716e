/** Exceptions that no handler hears, such as those of a stream's callback: they cost the request that they belong to, and no other. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Middleware } from 'koa';
import type { Log } from '../log.js';
import { requestState } from './request-state.js';

/** The request that the running code works for. */
const requests = new AsyncLocalStorage<Context>();

/** To be used first. What the request's own events call later counts as its work too. */
export const rememberRequest: Middleware = (ctx, next) => {
  requests.enterWith(ctx);
  return next();
};

/**
 * Logs an exception, and answers the request that it belongs to with 500, or cuts it off. To be called by the listener
 * for the process's uncaught exceptions.
 * @returns false where it belongs to no request, so that nobody knows what state the process is in
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
