/**
 * Makes sure that a refusal sent before the body was read arrives: closing the connection while the client still sends
 * would lose the response.
 */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { LIMITS } from '../contract/limits.js';

/** Bytes and time that are read of a refused body before the connection is closed. */
const DRAIN = { bytes: 2 * LIMITS.ndjsonBodyBytes, ms: 30_000 };

/** Finishes a response, and with it the connection, once the client has sent its whole body or more than the limit. */
export const drainUnread: Middleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  if ((typeof body === 'string' || Buffer.isBuffer(body)) && hasUnreadBody(ctx.req)) {
    const bytes = Buffer.from(body);
    ctx.set('Connection', 'close');
    const type = ctx.response.get('Content-Type');
    ctx.body = Readable.from(bodyThenDrain(bytes, ctx.req), { objectMode: false });
    ctx.set('Content-Type', type);
    ctx.length = bytes.length;
  }
};

/** True when part of the request's body has not arrived yet. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0);
}

async function* bodyThenDrain(body: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield body;
  await drained(request);
}

function drained(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(finish, DRAIN.ms);
    function count(chunk: Buffer) {
      bytes += chunk.length;
      if (bytes > DRAIN.bytes) {
        finish();
      }
    }
    function finish() {
      clearTimeout(timer);
      request.off('data', count).off('end', finish).off('close', finish);
      resolve();
    }
    if (request.destroyed || request.readableEnded) {
      finish();
      return;
    }
    request.on('error', () => undefined);
    request.on('end', finish).on('close', finish).on('data', count);
    request.resume();
  });
}
