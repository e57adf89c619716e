/** Exceptions that nobody catches: the process answers the requests that it has begun, and ends with exit code 1. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** A server whose routes go wrong, and which stops as `serve` does. A process of its own: the test runner listens for exceptions too. */
const SERVER = `
  import { Router } from '@koa/router';
  import { once } from 'node:events';
  import { Transform } from 'node:stream';
  import { HttpServer } from './dist/api/server.js';
  import { untilStopped } from './dist/composition/serve.js';
  import { createLog } from './dist/platform/log.js';
  const log = createLog('error');
  const unheard = () => { throw new Error('unheard'); };
  const released = new Promise((resolve) => process.once('message', resolve));
  const createRouter = () => new Router()
    .post('/stream', (ctx) => {
      ctx.req.pipe(new Transform({ transform: (chunk, _, done) => setImmediate(() => done(new Error('unheard'))) }));
      ctx.body = 'answered';
    })
    .get('/timer', (ctx) => { setTimeout(unheard, 1); ctx.body = 'answered'; })
    .get('/rejection', (ctx) => { void (async () => { await null; unheard(); })(); ctx.body = 'answered'; })
    .get('/slow', async (ctx) => { process.send('begun'); await released; ctx.body = 'slow'; })
    .get('/fine', (ctx) => { ctx.body = 'fine'; });
  const server = new HttpServer({
    createRouter, examine: async () => ({}), log, config: { host: '127.0.0.1', port: 0, trustedProxies: [] },
    metrics: { requests: { begun() {}, ended() {} }, scrape: async () => ({ type: '', text: '' }) },
  });
  const stopped = untilStopped(log);
  process.send(await server.listen());
  await stopped;
  server.refuse();
  process.send('refuses');
  await server.close();
  process.exit();
`;

async function next(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}

it.each([
  ['POST', 'stream'],
  ['GET', 'timer'],
  ['GET', 'rejection'],
])('%s /%s ends the process, which answers what it has begun', async (method, path) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const url = `http://127.0.0.1:${(await next(child)) as number}`;
  const begun = next(child);
  const slow = fetch(`${url}/slow`).then((response) => response.text());
  expect(await begun).toBe('begun');
  const refuses = next(child);
  const stray = await fetch(`${url}/${path}`, { method, ...(method === 'POST' && { body: 'hello' }) });
  expect(await stray.text()).toBe('answered');
  expect(await refuses).toBe('refuses');
  const refused = await fetch(`${url}/fine`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  child.send('go on');
  expect(await slow).toBe('slow');
  expect(await ended).toEqual([1, null]);
  expect(log.match(/"uncaught exception: the service drains and ends"/g)).toHaveLength(1);
  expect(log).toContain('unheard');
});
