/** The state of a request, as its middlewares know it. */

import type { Context } from 'koa';
import type { Caller } from '../account/api-key-store.js';

export interface RequestState {
  /** Answered as `X-Request-Id`, and on every line of the log about this request. */
  requestId: string;
  /** The client's address behind trusted proxies. */
  client: string;
  /** Set where a trusted proxy passed the request on, whatever it says about the client. */
  isForwarded: boolean;
  /** True for a request target without a path, such as `http://`; its path is then `/`, and it is refused. */
  isWithoutPath: boolean;
  /** The caller; set where a key was checked. */
  caller?: Caller;
}

export function requestState(ctx: Context): RequestState {
  return ctx.state;
}

/** The caller of the request. Behind `authenticate` there always is one. */
export function callerOf(ctx: Context): Caller {
  const { caller } = requestState(ctx);
  if (caller === undefined) {
    throw new Error('an endpoint asks for its caller, and no key was checked');
  }
  return caller;
}
