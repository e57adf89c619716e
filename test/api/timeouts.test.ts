/** Clients that take their time: a connection ends when its time is over, and costs the others nothing. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Ledger } from '../../src/credits/ledger-store.js';
import { sqlite } from '../support/databases.js';
import { exchange } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  const connectionLimits = { headersMs: 400, requestMs: 6_000, idleMs: 2_000, keepAliveMs: 300, checkEveryMs: 50 };
  service = await startTestService(sqlite, {}, { connectionLimits });
});
afterAll(() => service.close());

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';

it.each([
  ['nothing', ''],
  ['half of a request line', 'GET /heal'],
  ['half of the headers', `${HEAD}X-Slow: `],
])('a client that sends %s is told 408', { tags: ['http/slow-clients'] }, async (_, bytes) => {
  const answers = await exchange(service.url, bytes);
  expect(answers.map(({ status, error }) => [status, error])).toEqual([[408, 'invalid_input']]);
});

it('a client that sends a byte at a time is told 408, and nobody waits for it', async () => {
  const slow = Array.from({ length: 200 }, () => open());
  const timers = slow.map(({ socket }) => {
    let sent = 0;
    return setInterval(() => socket.writable && socket.write(HEAD.charAt(sent++) || 'x'), 20);
  });
  await Promise.all(slow.map(({ socket }) => once(socket, 'connect')));
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await Promise.all(slow.map(({ closed }) => closed));
  timers.forEach(clearInterval);
  expect(new Set(slow.map(({ received }) => received().slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
});

it('a client that waits for an answer longer than a connection may be idle gets it', async () => {
  vi.spyOn(Ledger.prototype, 'balance').mockImplementationOnce(() => delay(3_000, 7));
  const answer = await service.fetch('/api/v1/credits');
  expect(await answer.json()).toMatchObject({ balance: 7 });
});

it('a body that does not end is given up, and leaves nothing', { timeout: 15_000 }, async () => {
  const { socket, closed, received } = open();
  socket.write(
    [
      'POST /api/v1/jobs HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: application/json',
      'Content-Length: 1000000',
      '',
      '{"items":[',
    ].join('\r\n'),
  );
  await vi.waitFor(async () => expect(await service.files()).toHaveLength(1), { timeout: 5_500 });
  await closed;
  expect(received()).toMatch(/^(HTTP\/1\.1 408 |$)/);
  await vi.waitFor(async () => expect(await service.files()).toEqual([]), { timeout: 5_000 });
});

it('a connection is kept for the next request, but not for long', async () => {
  const { socket, closed, received } = open();
  socket.write(`${HEAD}\r\n`);
  await vi.waitFor(() => expect(received()).toContain('{"status":"ok"}'), { timeout: 20_000 });
  socket.write(`${HEAD}\r\n`);
  await closed;
  expect(received().match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

/** A connection, what came over it, and its end. */
function open(): { socket: Socket; closed: Promise<unknown>; received: () => string } {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  return { socket, closed: once(socket, 'close'), received: () => text };
}
