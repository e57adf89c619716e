/**
 * Refuses requests that a proxy may have interpreted differently (request smuggling: RFC 9112, section 11.2), as far as
 * the parser does not.
 */

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { invalidInput } from '../contract/errors.js';
import { requestState } from './request-state.js';

/** Headers that decide who asks, for what, and how the body is read. Of several, Node.js uses the first. */
const SINGLE = new Set(['authorization', 'content-type', 'content-encoding', 'host', 'transfer-encoding']);

/** The parser limits the size of headers but not their number. */
const MAX_HEADERS = 200;

export const refuseAmbiguous: Middleware = (ctx, next) => {
  const message = requestState(ctx).isWithoutPath ? 'Expected a path in the request line' : ambiguityOf(ctx.req);
  if (message !== undefined) {
    throw invalidInput({ path: '', code: 'invalid_header', message }, `${message}.`, { Connection: 'close' });
  }
  return next();
};

function ambiguityOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return 'The protocol must be HTTP/1.1';
  }
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (names.length > MAX_HEADERS) {
    return `A request must not have more than ${MAX_HEADERS} headers`;
  }
  const repeated = names.find((name, index) => SINGLE.has(name) && names.indexOf(name) !== index);
  if (repeated !== undefined) {
    return `The header ${repeated} must not be repeated`;
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return 'The header host is missing';
  }
  // The parser passes on codings applied before `chunked` without decoding them.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    return 'The only transfer coding is chunked';
  }
  return undefined;
}
