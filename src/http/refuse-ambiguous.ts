/** Refuses requests that a proxy on the way here may have read as something else (RFC 9112, section 11.2: request smuggling), beyond what the parser refuses. */

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import { requestState } from './request-state.js';

/** Headers that say who asks, for what and how the body is to be read; Node takes the first of several. */
const SINGLE = new Set(['authorization', 'content-type', 'content-encoding', 'host', 'transfer-encoding']);

/** The parser bounds the characters of headers, but not how many there are. */
const MOST_HEADERS = 200;

export const refuseAmbiguous: Middleware = (ctx, next) => {
  const message = requestState(ctx).isWithoutPath ? 'Expected a path in the request line' : ambiguityOf(ctx.req);
  if (message !== undefined) {
    const issues = [{ path: '', code: 'invalid_header', message }];
    throw new ApiError('invalid_input', `${message}.`, { issues, issueCount: 1 }, { Connection: 'close' });
  }
  return next();
};

function ambiguityOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return 'Expected HTTP/1.1';
  }
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > MOST_HEADERS) {
    return `Expected at most ${MOST_HEADERS} headers`;
  }
  const repeated = names.find((name, index) => SINGLE.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined) {
    return `Expected one header ${repeated}`;
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return 'Expected a header host';
  }
  // The parser hands a coding below `chunked` on as if it were not there.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    return 'Expected no other transfer coding than chunked';
  }
  return undefined;
}
