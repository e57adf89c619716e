/** The state of a request, shared by its middlewares. */

import type { Context } from 'koa';
import type { Caller } from '../accounts/keys/api-key-store.js';
import type { Holder } from '../admission/admission-control.js';

interface RequestState {
  /** Sent as `X-Request-Id`, and part of every log line about this request. */
  requestId: string;
  /** The client's IP address in front of trusted proxies. */
  client: string;
  /** True when a trusted proxy forwarded the request, whatever it says about the client. */
  isForwarded: boolean;
  /** True for a request target without a path, such as `http://`; its path is then `/`, and it is refused. */
  isWithoutPath: boolean;
  /** Set once a key has been checked. */
  caller?: Caller;
}

export function requestState(ctx: Context): RequestState {
  return ctx.state;
}

/** The caller of the request. Always set after `authenticate`. */
export function callerOf(ctx: Context): Caller {
  const { caller } = requestState(ctx);
  if (caller === undefined) {
    throw new Error('an endpoint needs its caller, but no key was checked');
  }
  return caller;
}

/**
 * Holder of the places for the request's work. The person who created the key is one, too: a person may found many
 * organisations.
 */
export function holderOf(ctx: Context): Holder {
  const { organisationId, createdBy } = callerOf(ctx);
  return { organisationId, personId: createdBy ?? undefined };
}
