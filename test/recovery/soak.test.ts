/** Mixed load for a while: memory, descriptors, threads, rows and files of the service stay what they were after its first part. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { childProcesses } from '../support/child-processes.js';
import { filesBelow } from '../support/files-below.js';
import { environmentOf } from './environment.js';

const PROGRAM = fileURLToPath(new URL('mortal-service.js', import.meta.url));

/** `npm run recovery -- --soak 60` sets it. */
const MINUTES = Number(process.env['QRPRESS_TEST_SOAK_MINUTES'] ?? 0.5);

/** Clients at once, and the pause of each between its rounds. */
const CLIENTS = 3;
const PAUSE_MS = 50;

interface Sample {
  megabytes: number;
  descriptors: number;
  threads: number;
  rows: number;
  files: number;
}

/** Maximum increase of each figure: its median in the last part minus its median at the start. */
const SLACK: Sample = { megabytes: 40, descriptors: 12, threads: 3, rows: 40, files: 40 };

let folder: string;
let child: ChildProcess;
let origin: string;
let admin: AdminContext;
let authorization: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-soak-'));
  const environment = environmentOf(folder);
  admin = await openAdminContext(readConfig(environment));
  const owner = { name: 'Example', ownerEmail: 'owner@example.org', credits: 1_000_000_000 };
  const { key } = await admin.keys.create(COMMAND_LINE, await admin.organisations.create(owner), 'test');
  authorization = `Bearer ${key}`;
  child = fork(PROGRAM, ['none'], { env: { PATH: process.env['PATH'], ...environment } });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  child.kill('SIGKILL');
  await admin.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function call(status: number, path: string, init: RequestInit = {}): Promise<Buffer> {
  const response = await fetch(`${origin}${path}`, { ...init, headers: { authorization, ...init.headers } });
  const body = Buffer.from(await response.arrayBuffer());
  expect([response.status, response.status === status ? '' : body.toString()]).toEqual([status, '']);
  return body;
}

const json = (body: unknown) => ({ 'content-type': 'application/json', body: JSON.stringify(body) });

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<string> {
  return (JSON.parse((await call(202, '/api/v1/jobs', { method: 'POST', headers, body })).toString()) as JobCreated)
    .jobId;
}

/** Posts, follows, reads and deletes jobs of every kind once. */
async function round(number: number): Promise<void> {
  const { body, ...type } = json({ items: [{ data: `${number}`, caption: 'Ünï' }], format: 'both' });
  const small = await post(body, type);
  const lines = ['{"format":"both"}', ...Array.from({ length: 1_500 }, (_, n) => `{"data":"${number} ${n}"}`)];
  const ndjson = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  const big = await post(new Uint8Array(gzipSync(lines.join('\n'))), ndjson);
  const { body: wrong } = json({ items: [{ data: '' }] });
  await call(400, '/api/v1/jobs', { method: 'POST', headers: type, body: wrong });
  await call(200, '/api/v1/jobs/validate', { method: 'POST', headers: type, body });
  for (const id of [small, big]) {
    await complete(id);
    await call(200, `/api/v1/jobs/${id}/download`);
    await call(206, `/api/v1/jobs/${id}/download`, { headers: { range: 'bytes=-2000' } });
    await call(200, `/api/v1/jobs/${id}/manifest`);
    await call(200, `/api/v1/jobs/${id}/items/0.png`);
  }
  await leaveEarly(big);
  await call(200, '/api/v1/jobs?limit=5');
  for (const id of [small, big]) {
    await call(204, `/api/v1/jobs/${id}`, { method: 'DELETE' });
  }
}

/** A client that goes away in the middle of its download. */
async function leaveEarly(id: string): Promise<void> {
  const gone = new AbortController();
  const response = await fetch(`${origin}/api/v1/jobs/${id}/download`, {
    headers: { authorization },
    signal: gone.signal,
  });
  await response.body?.getReader().read();
  gone.abort();
}

async function complete(id: string): Promise<void> {
  for (;;) {
    const job = JSON.parse((await call(200, `/api/v1/jobs/${id}`)).toString()) as JobResource;
    if (job.status === 'complete') return;
    expect(job.status).not.toBe('failed');
    await delay(20);
  }
}

/** The service and its engine together. */
async function sample(): Promise<Sample> {
  const { pid = 0 } = child;
  const pids = [pid, ...(await childProcesses(pid))];
  const statuses = await Promise.all(pids.map((each) => readFile(`/proc/${each}/status`, 'utf8')));
  const figure = (name: string) =>
    statuses.reduce((sum, text) => sum + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]), 0);
  const descriptors = await Promise.all(pids.map((each) => readdir(`/proc/${each}/fd`)));
  const tables = ['jobs', 'chunks', 'small_blobs', 'idempotency_records', 'mails'] as const;
  const rows = await Promise.all(
    tables.map((table) =>
      admin.database
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number | string>().as('rows'))
        .executeTakeFirstOrThrow(),
    ),
  );
  return {
    megabytes: figure('VmRSS') / 1_024,
    descriptors: descriptors.flat().length,
    threads: figure('Threads'),
    rows: rows.reduce((sum, each) => sum + Number(each.rows), 0),
    files: (await filesBelow(folder)).length,
  };
}

function medians(samples: readonly Sample[]): Sample {
  const median = (name: keyof Sample) => {
    const sorted = samples.map((each) => each[name]).toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  };
  return Object.fromEntries(
    Object.keys(SLACK).map((name) => [name, median(name as keyof Sample)]),
  ) as unknown as Sample;
}

test.runIf(process.platform === 'linux')(
  'mixed load leaves everything flat',
  { timeout: MINUTES * 60_000 + 120_000 },
  async () => {
    const end = performance.now() + MINUTES * 60_000;
    const samples: Sample[] = [];
    let rounds = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) {
        rounds += 1;
        await round(rounds);
        await delay(PAUSE_MS);
      }
    });
    const watch = (async () => {
      while (performance.now() < end) {
        await delay(1_000);
        samples.push(await sample());
      }
    })();
    await Promise.all([...clients, watch]);
    const quarter = Math.floor(samples.length / 4);
    const before = medians(samples.slice(quarter, 2 * quarter));
    const after = medians(samples.slice(-quarter));
    if (MINUTES > 1) {
      console.info(JSON.stringify({ minutes: MINUTES, rounds, before, after }));
    }
    for (const name of Object.keys(SLACK) as (keyof Sample)[]) {
      expect([name, after[name] - before[name] <= SLACK[name], before[name], after[name]]).toEqual([
        name,
        true,
        before[name],
        after[name],
      ]);
    }
    expect(child.exitCode ?? child.signalCode).toBeNull();
    expect(await verify(admin)).toEqual([]);
  },
);
