/** Attacks of somebody without an account, while a bystander uses the service. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, it } from 'vitest';
import { startSiege, type Siege } from './bystander.js';

const EVENT_LOOP_P99_MS = 50;

let siege: Siege;
beforeAll(async () => {
  siege = await startSiege();
});
afterAll(() => siege.close());

function open(): Socket {
  return connect(siege.port, '127.0.0.1').on('error', () => undefined);
}

/** Sends bytes again and again, for some seconds, on so many connections one after the other. */
async function repeat(bytes: Buffer, connections: number, seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const run = async () => {
    while (performance.now() < end) {
      const socket = open();
      socket.write(bytes);
      socket.resume();
      await Promise.race([once(socket, 'close'), once(socket, 'data')]);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
}

function form(path: string, body: Uint8Array, ...headers: string[]): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(siege.url).host}`,
    `Origin: ${siege.url}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}

it('compressed forms that unpack to 16 MB each', { timeout: 60_000 }, () => {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 };
  const body = brotliCompressSync(Buffer.alloc(16_000_000, 'a'), { params });
  return siege.withstand(() => repeat(form('/account/sign-in', body, 'Content-Encoding: br'), 100, 3));
});

it('a thousand requests in a packet', { timeout: 60_000 }, async () => {
  const packet = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_700));
  await siege.withstand(() => repeat(packet, 1, 4));
  siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
});
