/** Clients that send requests without waiting for answers. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HttpServer } from '../../src/api/server.js';
import { lineLog } from '../support/log.js';
import type { ConnectionLimits } from '../../src/api/listener.js';

/** Published by Node.js for each request that it has read. */
const READ = 'http.server.request.start';

let server: HttpServer;
let read = 0;
const count = () => {
  read += 1;
};
beforeEach(() => {
  read = 0;
  subscribe(READ, count);
});
afterEach(async () => {
  unsubscribe(READ, count);
  await server.close();
});

/** Connects to a server with one route, and asks for so many things in one packet. */
async function connected(answer: (name: string) => unknown, connectionLimits?: Partial<ConnectionLimits>) {
  server = new HttpServer({
    createRouter: () =>
      new Router().get('/:name', async (ctx) => {
        ctx.body = await answer((ctx.params as { name: string }).name);
      }),
    examine: async () => ({}),
    connectionLimits,
    log: lineLog(),
    config: { host: '127.0.0.1', port: 0, trustedProxies: [] },
    metrics: {
      requests: { begun: () => undefined, ended: () => undefined },
      scrape: async () => ({ type: '', text: '' }),
    },
  });
  const socket = connect(await server.listen(), '127.0.0.1').setEncoding('latin1');
  const ask = (...names: string[]) =>
    socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  return { socket, ask, closed: once(socket, 'close') };
}

it('works on the requests of a connection in turn, and on none behind the one whose answer closes it', async () => {
  const begun: string[] = [];
  const answers = new Map<string, () => void>();
  const { socket, ask, closed } = await connected(async (name) => {
    begun.push(name);
    await new Promise<void>((resolve) => answers.set(name, resolve));
    return `answer ${name}.`;
  });
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  const names = Array.from({ length: 16 }, (_, index) => String(index));
  ask(...names);
  await vi.waitFor(() => expect(read).toBe(16), { timeout: 20_000 });
  for (const [index, name] of names.entries()) {
    await vi.waitFor(() => expect(begun).toEqual(names.slice(0, index + 1)), { timeout: 20_000 });
    if (index === 1) {
      ask('behind');
      await vi.waitFor(() => expect(read).toBe(17), { timeout: 20_000 });
    }
    answers.get(name)?.();
  }
  await closed;
  expect(received.match(/answer \d+\./g)).toHaveLength(16);
  expect(begun).toEqual(names);
});

it('holds nothing for a connection that broke, whatever was asked for on it', async () => {
  const bodies: Readable[] = [];
  const { socket, ask, closed } = await connected(() => {
    const body = new Readable({ read: () => undefined });
    body.push('x');
    bodies.push(body);
    return body;
  });
  ask('first', 'second', 'third');
  await vi.waitFor(() => expect(read).toBe(3), { timeout: 20_000 });
  await once(socket, 'data');
  socket.destroy();
  await closed;
  await vi.waitFor(() => expect(bodies.map(({ closed: isClosed }) => isClosed)).toEqual([true]), { timeout: 20_000 });
});

it.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
  ['half of a request that never ends', 'GET /second HT'],
])('sends nothing but the body into an answer that has begun: %s', async (_, behind) => {
  const body = new Readable({ read: () => undefined });
  body.push('begun');
  const { socket, ask, closed } = await connected(() => body, { headersMs: 100, checkEveryMs: 20 });
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  ask('first');
  await vi.waitFor(() => expect(received).toContain('begun'), { timeout: 20_000 });
  socket.write(behind);
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(received.split('\r\n\r\n')[1]).toBe('5\r\nbegun\r\n');
  await vi.waitFor(() => expect(body.destroyed).toBe(true), { timeout: 20_000 });
});
