/**
 * The disk is full, or read-only, from every write on that a job needs: each post is answered 202 or 503, nothing is half stored, and the
 * same process goes on when there is room again.
 */

import { createHash, randomInt, randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorBody, JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { filesBelow } from '../support/files-below.js';
import { canFail, CREDITS, FaultyService } from './faulty-service.js';

/** Every n-th write of a large job is met, and each one of a small job; `npm run recovery` sets 1. */
const STRIDE = Number(process.env['QRPRESS_TEST_DISK_STRIDE'] ?? 12);

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

interface Posted {
  body: Body;
  key: string;
  job: JobCreated | undefined;
}
/** Posts that met a full disk. */
const posts: Posted[] = [];
const jobs: { body: Body; jobId: string }[] = [];

let service: FaultyService;
// A second try begins on a folder of its own.
beforeEach(async () => {
  if (!canFail) return;
  posts.length = 0;
  jobs.length = 0;
  service = await FaultyService.start();
});
afterEach(async () => {
  if (canFail) await service[Symbol.asyncDispose]();
});

/** Posts a body; 202 or 503 is all that is answered. */
async function post(body: Body, key: string): Promise<JobCreated | undefined> {
  const response = await service.post(body.text, body.type, key);
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
  const response = await service.get(`/api/v1/jobs/${jobId}`);
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
  const before = await service.steps();
  const { jobId } = (await post(body, randomUUID())) as JobCreated;
  await complete(jobId);
  jobs.push({ body, jobId });
  return Number((await service.steps()) - before);
}

/** A job whose disk fails from its n-th write on, and works again once that was felt. */
async function postWhileFailing(body: Body, write: number, error: number): Promise<void> {
  const key = randomUUID();
  const first = (await service.steps()) + BigInt(write);
  await service.fail({ firstFailing: first, error });
  const accepted = await post(body, key);
  const deadline = performance.now() + 1_000;
  if (accepted) {
    while ((await service.steps()) <= first && performance.now() < deadline) await delay(5);
  }
  await service.fail({});
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
  await service.fail({ delayUs: 20_000 });
  await Promise.all([SMALL, SMALL, BIG].map(writesOf));
  await service.fail({});
  expect(posts.some(({ job }) => job === undefined)).toBe(true);
  const archives = new Map<Body, Set<string>>();
  for (const { body, jobId } of jobs) {
    await complete(jobId);
    expect(await status(jobId)).toMatchObject({ completed: body.items, failed: 0, creditsCharged: body.items });
    archives.set(body, (archives.get(body) ?? new Set()).add(await archive(jobId)));
  }
  expect([...archives.values()].map(({ size }) => size)).toEqual([1, 1]);
  expect(service.child.exitCode ?? service.child.signalCode).toBeNull();
  await expectSound();
});

/** The books are right, and nothing is left of posts that became no job. */
async function expectSound(): Promise<void> {
  // What a fault left behind is settled with the next renewal of leases, up to half a minute later.
  await vi.waitFor(async () => expect(await verify(service.admin)).toEqual([]), { timeout: 60_000, interval: 500 });
  const spent = jobs.reduce((sum, { body }) => sum + body.items, 0);
  expect(await service.admin.ledger.balance(service.organisationId)).toBe(CREDITS - spent);
  const rows = await service.admin.database.selectFrom('jobs').select('id').execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(jobs.map(({ jobId }) => jobId).toSorted());
  const leftovers = async () =>
    (await filesBelow(join(service.dataDir, 'work'))).filter((path) => !path.endsWith('.lock'));
  await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { timeout: 30_000 });
}

async function archive(jobId: string): Promise<string> {
  const response = await service.get(`/api/v1/jobs/${jobId}/download`);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}
