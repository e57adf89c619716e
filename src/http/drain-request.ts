/** Refusals that come before the body was read, delivered reliably: a connection that is closed while the client still sends takes the answer with it. */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { LIMITS } from '../contract/limits.js';

/** Bytes of a refused body that are read, and the time for it, before the connection is closed. */
const DRAIN = { bytes: 2 * LIMITS.ndjsonBodyBytes, ms: 30_000 };

/** Bytes of a refused body that is read before the answer, and the time for it: most are there already, and a new connection costs more. */
const SMALL = { bytes: 65_536, ms: 1_000 };

/** Ends an answer, and with it the connection, once the client has sent its own body, or too much of it. After a small body the connection is kept. */
export const drainUnread: Middleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  if ((typeof body === 'string' || Buffer.isBuffer(body)) && hasUnreadBody(ctx.req) && !(await arrivesSoon(ctx.req))) {
    const bytes = Buffer.from(body);
    ctx.set('Connection', 'close');
    const type = ctx.response.get('Content-Type');
    ctx.body = Readable.from(bodyThenDrain(bytes, ctx.req), { objectMode: false });
    ctx.set('Content-Type', type);
    ctx.length = bytes.length;
  }
};

/** True where some of the request's body has not arrived yet. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && ('transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0);
}

/** Reads a small body to its end; false where it is none, or does not come in time. */
async function arrivesSoon(request: IncomingMessage): Promise<boolean> {
  const { headers } = request;
  const isSmall = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL.bytes;
  // A client that waits to be asked for its body does not send it.
  if (!isSmall || headers.expect !== undefined) {
    return false;
  }
  await drained(request, SMALL.ms);
  return request.complete;
}

async function* bodyThenDrain(body: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield body;
  await drained(request, DRAIN.ms);
}

function drained(request: IncomingMessage, ms: number): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(finish, ms);
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
