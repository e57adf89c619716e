/** Attacks of one account on all others, one at a time, while a bystander of another organisation uses the service. */

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { filesBelow } from '../support/files-below.js';
import { type Siege, startSiege } from './bystander.js';

/** Time for which idle connections are held. */
const HELD_MS = 3_000;

let siege: Siege;
let key: string;
beforeAll(async () => {
  siege = await startSiege();
  ({ key } = await siege.createAccount(500));
});
afterAll(() => siege.close());

const headers = (type: string, others: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  'content-type': type,
  ...others,
});

/** A thread of its own for each post: what it costs to send must not count as the bystander's wait. */
const POST = `
const { parentPort, workerData: { url, init } } = require('node:worker_threads');
fetch(url, init).then(
  async (response) => {
    await response.arrayBuffer();
    parentPort.postMessage(response.status);
  },
  // A connection that is closed is a refusal as well.
  () => parentPort.postMessage(0),
);`;

/** Posts a body to an endpoint; an answer is a refusal or an acceptance, and never a fault. */
async function post(path: string, body: Uint8Array, init: Record<string, string>): Promise<void> {
  const workerData = { url: siege.url + path, init: { method: 'POST', headers: init, body } };
  const worker = new Worker(POST, { eval: true, workerData });
  const [status] = (await once(worker, 'message')) as [number];
  expect([0, 200, 202, 400, 402, 408, 413, 415, 422, 429, 503]).toContain(status);
}

/** Opens connections that send `bytes` and then nothing, holds them for a while and closes them. */
async function hold(count: number, bytes: Buffer): Promise<void> {
  const sockets: Socket[] = Array.from({ length: count }, () => {
    const socket = connect(siege.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return socket;
  });
  await delay(HELD_MS);
  for (const socket of sockets) socket.destroy();
}

function half(lines: string[], body: Buffer): Buffer {
  const head = ['POST /api/v1/jobs HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, ...lines, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
}

/** Length of all files below a folder. A file may be deleted meanwhile. */
async function bytesBelow(folder: string): Promise<number> {
  const sizes = (await filesBelow(folder)).map(async (path) => (await stat(path).catch(() => undefined))?.size);
  return (await Promise.all(sizes)).reduce((sum: number, size) => sum + (size ?? 0), 0);
}

const bytes = (text: string) => new TextEncoder().encode(text);
const times = <T>(count: number, work: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => work(n));
const withstand = (attack: () => Promise<unknown>) =>
  siege.withstand(async () => {
    await attack();
  });

it('128 brotli bodies of a few bytes', { timeout: 60_000 }, () => {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 23, [constants.BROTLI_PARAM_QUALITY]: 1 };
  const first = brotliCompressSync(Buffer.alloc(24_000_000, 'a'), { params }).subarray(0, 40);
  const lines = ['Content-Type: application/json', 'Content-Encoding: br', 'Content-Length: 5000'];
  return withstand(() => hold(128, half(lines, first)));
});

it('100 gzip bodies that unpack to 90 MB each', { timeout: 120_000 }, () => {
  const bomb = new Uint8Array(gzipSync(Buffer.concat([Buffer.from('{}\n'), Buffer.alloc(90_000_000, ' ')])));
  const init = headers('application/x-ndjson', { 'content-encoding': 'gzip' });
  return withstand(async () => {
    const over = new AbortController();
    let most = 0;
    const measure = async () => {
      while (!over.signal.aborted) {
        most = Math.max(most, await bytesBelow(join(siege.dataDir, 'work')));
        await delay(200);
      }
    };
    const measured = measure();
    await Promise.all(times(100, () => post('/api/v1/jobs', bomb, init)));
    over.abort();
    await measured;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2_000_000_000);
  });
});

it('300 downloads that begin at once, each on a connection of its own', { timeout: 120_000 }, async () => {
  const account = await siege.createAccount(8_000);
  const items = times(8_000, (item) => `{"data":"${item} ${'x'.repeat(200)}"}`);
  const init = { authorization: `Bearer ${account.key}`, 'content-type': 'application/x-ndjson' };
  const body = ['{"format":"svg"}', ...items].join('\n');
  const posted = await fetch(`${siege.url}/api/v1/jobs`, { method: 'POST', headers: init, body });
  const { jobId } = (await posted.json()) as JobCreated;
  const path = `/api/v1/jobs/${jobId}/download`;
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n\r\n`;
  const isComplete = async () => (await fetch(siege.url + path, { method: 'HEAD', headers: init })).status === 200;
  await expect.poll(isComplete, { timeout: 30_000 }).toBe(true);
  // A running service is warm: its code is compiled.
  for (let download = 0; download < 50; download += 1) {
    await (await fetch(siege.url + path, { headers: init })).arrayBuffer();
  }
  await siege.withstand(() => hold(300, Buffer.from(head)), true);
});

it('256 bodies that do not go on', { timeout: 60_000 }, () =>
  withstand(() => hold(256, half(['Content-Type: application/json', 'Content-Length: 5000'], Buffer.from('{')))),
);

it('checks of distinct long captions', { timeout: 120_000 }, () => {
  const body = (seed: number) => {
    const item = (n: number) => JSON.stringify({ data: `${n}`, caption: `${seed} ${n} ${'ש漢ي'.repeat(30)}` });
    return bytes(['{}', ...times(30_000, item)].join('\n'));
  };
  const bodies = times(6, body);
  const init = headers('application/x-ndjson');
  return withstand(() => Promise.all(bodies.map((each) => post('/api/v1/jobs/validate', each, init))));
});

it('checks of many names', { timeout: 120_000 }, () => {
  const body = bytes(JSON.stringify({ items: times(20_000, () => ({ data: 'a', filename: 'a' })) }));
  const init = headers('application/json');
  return withstand(() => Promise.all(times(10, () => post('/api/v1/jobs/validate', body, init))));
});

it('first lines of 99 MB', { timeout: 120_000 }, () => {
  const body = bytes(`{"style":${' '.repeat(99_000_000)}{}}\n{"data":"a"}`);
  return withstand(() => Promise.all(times(4, () => post('/api/v1/jobs', body, headers('application/x-ndjson')))));
});

it('16 KB of Accept-Language, again and again', { timeout: 60_000 }, () => {
  const language = times(3_000, (tag) => `x${tag % 10}-${tag % 10}a`)
    .join(',')
    .slice(0, 15_000);
  return withstand(async () => {
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(
        times(8, async () => {
          const response = await fetch(`${siege.url}/account/sign-in`, { headers: { 'accept-language': language } });
          await response.arrayBuffer();
          expect(response.status).toBe(200);
        }),
      );
    }
  });
});

it('bodies that are left in the middle', { timeout: 60_000 }, () =>
  withstand(async () => {
    for (let round = 0; round < 10; round += 1) {
      const sockets = times(30, () => connect(siege.port, '127.0.0.1').on('error', () => undefined));
      for (const socket of sockets) {
        socket.write(
          half(['Content-Type: application/x-ndjson', 'Content-Length: 90000000'], Buffer.alloc(60_000, ' ')),
        );
      }
      await delay(100);
      for (const socket of sockets) socket.destroy();
    }
  }),
);
