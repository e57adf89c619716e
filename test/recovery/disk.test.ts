/**
 * The disk is full, or read-only, from every write on that a job needs: each post is answered 202 or 503, nothing is half stored, and the
 * same process goes on when there is room again.
 */

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, type FileHandle, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AdminContext, openAdminContext } from '../../src/cli/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { ErrorBody, JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { filesBelow } from '../support/files-below.js';
import { environmentOf } from './environment.js';

const folderOfThis = fileURLToPath(new URL('disk/', import.meta.url));

/** The tests are skipped where the library of the faulty disk cannot be built or loaded. */
const canFail = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

/** Every n-th write of a large job is met, and each one of a small job; `npm run recovery` sets 1. */
const STRIDE = Number(process.env['QRPRESS_TEST_DISK_STRIDE'] ?? 12);

/** A 64-bit number in the control file that means that no write fails. */
const NEVER = 2n ** 64n - 1n;

interface Body {
  items: number;
  type: string;
  text: string;
}

const SMALL: Body = { items: 3, type: 'application/json', text: '{"items":[{"data":"a"},{"data":"b"},{"data":"c"}]}' };
/** Two chunks. */
const BIG: Body = {
  items: 1_500,
  type: 'application/x-ndjson',
  text: ['{}', ...Array.from({ length: 1_500 }, (_, item) => `{"data":"${item}"}`)].join('\n'),
};

const { ENOSPC, EROFS } = constants.errno;

interface Faults {
  /** The first write that fails, counted from the start of the service. */
  firstFailing: bigint;
  error?: number;
  /** Time that each write takes longer. */
  delayUs?: number;
}

let folder: string;
let control: FileHandle;
let admin: AdminContext;
let organisationId: string;
let apiKey: string;
let child: ChildProcess;
let origin: string;
const CREDITS = 10_000_000;
interface Posted {
  body: Body;
  key: string;
  job: JobCreated | undefined;
}
/** Posts that met a full disk. */
const posts: Posted[] = [];
const jobs: { body: Body; jobId: string }[] = [];

// A second try begins on a folder of its own.
beforeEach(async () => {
  if (!canFail) return;
  posts.length = 0;
  jobs.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'qrpress-disk-'));
  const library = join(folder, 'faulty-disk.so');
  const built = spawnSync('cc', [
    '-O1',
    '-shared',
    '-fPIC',
    '-o',
    library,
    join(folderOfThis, 'faulty-disk.c'),
    '-ldl',
  ]);
  expect(built.stderr.toString()).toBe('');
  control = await open(join(folder, 'control'), 'w+');
  await set({ firstFailing: NEVER });
  const dataDir = join(folder, 'data');
  const environment = environmentOf(dataDir);
  admin = await openAdminContext(readConfig(environment));
  organisationId = await admin.organisations.create({ name: 'A', ownerEmail: 'a@example.org', credits: CREDITS });
  ({ key: apiKey } = await admin.keys.create(organisationId, 'test'));
  child = fork(join(folderOfThis, 'service.js'), ['none'], {
    env: {
      PATH: process.env['PATH'],
      LD_PRELOAD: library,
      FAULTY_DISK: dataDir,
      FAULTY_DISK_CONTROL: join(folder, 'control'),
      ...environment,
    },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  origin = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  if (!canFail) return;
  child.kill('SIGKILL');
  await admin.close();
  await control.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function set({ firstFailing, error = ENOSPC, delayUs = 0 }: Faults): Promise<void> {
  const numbers = BigUint64Array.of(firstFailing, BigInt(error), BigInt(delayUs));
  await control.write(new Uint8Array(numbers.buffer), 0, numbers.byteLength, 8);
}

/** Writes so far. */
async function steps(): Promise<bigint> {
  return (await control.read(Buffer.alloc(8), 0, 8, 0)).buffer.readBigUInt64LE();
}

/** Posts a body; 202 or 503 is all that is answered. */
async function post(body: Body, key: string): Promise<JobCreated | undefined> {
  const response = await fetch(`${origin}/api/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': body.type, 'idempotency-key': key },
    body: body.text,
  });
  const answer = (await response.json()) as JobCreated | ErrorBody;
  if (response.status === 202) {
    return answer as JobCreated;
  }
  expect(answer).toMatchObject({ error: 'unavailable' });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  return undefined;
}

async function status(jobId: string): Promise<JobResource> {
  const response = await fetch(`${origin}/api/v1/jobs/${jobId}`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as JobResource;
}

const complete = (jobId: string) =>
  vi.waitFor(async () => expect(await status(jobId)).toMatchObject({ status: 'complete' }), {
    timeout: 90_000,
    interval: 20,
  });

/** Writes of a job from its post to its end. */
async function writesOf(body: Body): Promise<number> {
  const before = await steps();
  const { jobId } = (await post(body, randomUUID())) as JobCreated;
  await complete(jobId);
  jobs.push({ body, jobId });
  return Number((await steps()) - before);
}

/** A job whose disk fails from its n-th write on, and works again once that was felt. */
async function postWhileFailing(body: Body, write: number, error: number): Promise<void> {
  const key = randomUUID();
  const first = (await steps()) + BigInt(write);
  await set({ firstFailing: first, error });
  const accepted = await post(body, key);
  const deadline = performance.now() + 1_000;
  if (accepted) {
    while ((await steps()) <= first && performance.now() < deadline) await delay(5);
  }
  await set({ firstFailing: NEVER });
  posts.push({ body, key, job: accepted });
}

/** Posts again what was refused, with its key, which the refused post may hold for half a minute when it could not let go of it. */
async function postAgain(posted: Posted): Promise<void> {
  const job = await vi.waitFor(
    async () => {
      const again = await post(posted.body, posted.key);
      expect(again).toBeDefined();
      return again as JobCreated;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(posted.job?.jobId ?? job.jobId).toBe(job.jobId);
  jobs.push({ body: posted.body, jobId: job.jobId });
}

test.runIf(canFail)('full, then read-only, from each write on', { timeout: 3_600_000 }, async () => {
  await writesOf(SMALL);
  await writesOf(BIG);
  for (const body of [SMALL, BIG]) {
    const writes = await writesOf(body);
    expect(writes).toBeGreaterThan(1);
    // Another process may write meanwhile, so that a few more are tried than a job makes.
    const usual = body === SMALL ? 1 : STRIDE;
    for (const [error, stride] of [
      [ENOSPC, usual],
      [EROFS, 3 * usual],
    ] as const) {
      for (let write = randomInt(stride); write < writes + 3; write += stride) {
        await postWhileFailing(body, write, error);
      }
    }
  }
  for (const posted of posts) {
    await postAgain(posted);
  }
  // A slow disk delays jobs, and refuses none.
  await set({ firstFailing: NEVER, delayUs: 20_000 });
  await Promise.all([SMALL, SMALL, BIG].map(writesOf));
  await set({ firstFailing: NEVER });
  expect(posts.some(({ job }) => job === undefined)).toBe(true);
  const archives = new Map<Body, Set<string>>();
  for (const { body, jobId } of jobs) {
    await complete(jobId);
    expect(await status(jobId)).toMatchObject({ completed: body.items, failed: 0, creditsCharged: body.items });
    archives.set(body, (archives.get(body) ?? new Set()).add(await archive(jobId)));
  }
  expect([...archives.values()].map(({ size }) => size)).toEqual([1, 1]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  await expectSound();
});

/** The books are right, and nothing is left of posts that became no job. */
async function expectSound(): Promise<void> {
  // What a fault left behind is settled with the next renewal of leases, up to half a minute later.
  await vi.waitFor(async () => expect(await verify(admin)).toEqual([]), { timeout: 60_000, interval: 500 });
  const spent = jobs.reduce((sum, { body }) => sum + body.items, 0);
  expect(await admin.ledger.balance(organisationId)).toBe(CREDITS - spent);
  const rows = await admin.database.selectFrom('jobs').select('id').execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(jobs.map(({ jobId }) => jobId).toSorted());
  await vi.waitFor(async () => expect(await filesBelow(join(folder, 'data', 'work'))).toEqual([]), { timeout: 30_000 });
}

async function archive(jobId: string): Promise<string> {
  const url = `${origin}/api/v1/jobs/${jobId}/download`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}
