/** Exceptions that nobody hears: the request that they belong to is answered, and the process goes on. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A server whose routes go wrong, as `serve` wires it. A process of its own: the test runner listens for exceptions too. */
const SERVER = `
  import { Router } from '@koa/router';
  import { Transform } from 'node:stream';
  import { HttpServer } from './dist/api/server.js';
  import { answerStray } from './dist/api/answer-errors.js';
  import { createLog } from './dist/platform/log.js';
  const log = createLog('error');
  const never = () => new Promise(() => {});
  const createRouter = () => new Router()
    .post('/stream', (ctx) => {
      ctx.req.pipe(new Transform({ transform: (chunk, _, done) => setImmediate(() => done(new Error('unheard'))) }));
      return never();
    })
    .post('/data', (ctx) => { ctx.req.on('data', () => { throw new Error('unheard'); }); return never(); })
    .get('/timer', () => { setTimeout(() => { throw new Error('unheard'); }, 1); return never(); })
    .get('/rejection', () => { void (async () => { await null; throw new Error('unheard'); })(); return never(); })
    .get('/begun', (ctx) => {
      ctx.respond = false;
      ctx.res.writeHead(200, { 'Content-Length': 10 });
      ctx.res.write('a');
      setTimeout(() => { throw new Error('unheard'); }, 20);
      return never();
    })
    .get('/fine', (ctx) => { ctx.body = 'fine'; });
  const server = new HttpServer({
    createRouter, checks: {}, log, config: { host: '127.0.0.1', port: 0, trustedProxies: [] },
    metrics: { requests: { begun() {}, ended() {} }, scrape: async () => ({ type: '', text: '' }) },
  });
  process.on('uncaughtException', (error) => {
    if (!answerStray(error, log)) { console.log('stray'); process.exit(3); }
  });
  process.on('message', () => setTimeout(() => { throw new Error('nobody'); }));
  process.send(await server.listen());
`;

const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
let log = '';
child.stdout?.on('data', (chunk: Buffer) => {
  log += chunk.toString();
});

let url: string;
beforeAll(async () => {
  const [port] = (await once(child, 'message')) as [number];
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => void child.kill());

it.each([
  ['POST', 'stream'],
  ['POST', 'data'],
  ['GET', 'timer'],
  ['GET', 'rejection'],
])('%s /%s is answered with 500, and logged once', async (method, path) => {
  const from = log.length;
  const response = await fetch(`${url}/${path}`, { method, ...(method === 'POST' && { body: 'hello' }) });
  expect([response.status, await response.json()]).toMatchObject([500, { error: 'internal_error' }]);
  await expect.poll(() => log.slice(from)).toContain(response.headers.get('x-request-id'));
  expect(await (await fetch(`${url}/fine`)).text()).toBe('fine');
});

it('cuts off an answer that has begun', async () => {
  await expect(fetch(`${url}/begun`).then((response) => response.text())).rejects.toThrow();
  expect(await (await fetch(`${url}/fine`)).text()).toBe('fine');
});

it('ends the process for an exception of no request', async () => {
  child.send('throw');
  expect(await once(child, 'exit')).toEqual([3, null]);
});
