/**
 * The service is killed at every named step and at random moments, and started again: a job that was accepted ends whole,
 * one that was not answered for is made once when it is posted again, and the books are right.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { childProcesses } from '../support/child-processes.js';
import { environmentOf } from './environment.js';

const PROGRAM = fileURLToPath(new URL('mortal-service.js', import.meta.url));

/** Random kills; each failpoint is met once for forty of them, and at least once. `npm run recovery` sets it. */
const KILLS = Number(process.env['QRPRESS_TEST_KILLS'] ?? 2);
const ROUNDS = Math.max(1, Math.round(KILLS / 40));

/** A random kill comes at most so long after the posts. */
const LONGEST_LIFE_MS = 800;

interface Body {
  items: number;
  text: string;
  type: string;
}

const SMALL: Body = {
  items: 3,
  type: 'application/json',
  text: JSON.stringify({ sendEmail: true, items: [{ data: 'a' }, { data: 'b' }, { data: 'c' }] }),
};
/** Three chunks. */
const BIG: Body = {
  items: 3_000,
  type: 'application/x-ndjson',
  text: ['{"sendEmail":true}', ...Array.from({ length: 3_000 }, (_, item) => `{"data":"${item}"}`)].join('\n'),
};

const FAILPOINTS: [failpoint: string, body: Body][] = [
  ['draft written', BIG],
  ['draft checked', BIG],
  ['spool stored', BIG],
  ['about to commit', BIG],
  ['committed', BIG],
  ['chunks drawn', BIG],
  ['chunk stored', BIG],
  ['counted', BIG],
  ['end written', BIG],
  ['complete', BIG],
  ['draft checked', SMALL],
  ['about to commit', SMALL],
  ['committed', SMALL],
  ['mail sent', SMALL],
];

interface Posted {
  key: string;
  body: Body;
  /** Once it was accepted. */
  job?: JobCreated | undefined;
}

let folder: string;
let environment: Record<string, string>;
let admin: AdminContext;
let organisationId: string;
let apiKey: string;
let credits = 0;
let running: { child: ChildProcess; origin: string } | undefined;
const posts: Posted[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-kills-'));
  environment = environmentOf(folder);
  admin = await openAdminContext(readConfig(environment));
  credits = (KILLS + ROUNDS * FAILPOINTS.length + 1) * (BIG.items + SMALL.items);
  organisationId = await admin.organisations.create({ name: 'Example', ownerEmail: 'owner@example.org', credits });
  ({ key: apiKey } = await admin.keys.create(COMMAND_LINE, organisationId, 'test'));
});
afterAll(async () => {
  running?.child.kill('SIGKILL');
  await admin.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Starts the service. It may meet its failpoint before it listens, on work that was left to it. */
async function start(failpoint: string): Promise<void> {
  const child = fork(PROGRAM, [failpoint], { env: { PATH: process.env['PATH'], ...environment }, silent: true });
  child.stderr?.pipe(process.stderr);
  const port = await Promise.race([
    once(child, 'message').then(([message]) => (message as { port: number }).port),
    once(child, 'exit').then(() => expectKilled(child)),
  ]);
  running = port === undefined ? undefined : { child, origin: `http://127.0.0.1:${port}` };
}

async function ended(): Promise<void> {
  if (running !== undefined && running.child.exitCode === null && running.child.signalCode === null) {
    // Long after the last failpoint was to be met.
    await once(running.child, 'exit', { signal: AbortSignal.timeout(60_000) });
  }
  if (running !== undefined) {
    expectKilled(running.child);
  }
  running = undefined;
}

/** Fails for a service that ended by itself, of an error: it did not meet its failpoint. */
function expectKilled({ signalCode }: ChildProcess): undefined {
  expect(signalCode).toBe('SIGKILL');
}

/** Posts a body, the same key as before where it was posted before; an answer may not come. */
async function post(posted: Posted): Promise<void> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': posted.body.type,
    'idempotency-key': posted.key,
  };
  const request = { method: 'POST', headers, body: posted.body.text };
  const response = await fetch(`${running?.origin}/api/v1/jobs`, request).catch(() => undefined);
  if (response?.status === 202) {
    const job = (await response.json().catch(() => undefined)) as JobCreated | undefined;
    expect(posted.job?.jobId ?? job?.jobId).toBe(job?.jobId);
    posted.job = job ?? posted.job;
  }
}

function remember(body: Body): Posted {
  const posted = { key: randomUUID(), body };
  posts.push(posted);
  return posted;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** Kills the service, its engine, or both. */
async function killAtRandom(): Promise<void> {
  const { pid = 0 } = running?.child ?? {};
  const engines = await childProcesses(pid);
  const [isService, isEngine] = [
    [true, false],
    [false, true],
    [true, true],
  ][randomInt(3)] as [boolean, boolean];
  for (const engine of isEngine ? engines : []) {
    kill(engine);
  }
  if (isService) {
    kill(pid);
    await ended();
  }
}

test('every job ends once, wherever the service was killed', { timeout: 600_000 + KILLS * 15_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [failpoint, body] of FAILPOINTS) {
      await start(failpoint);
      await (running && post(remember(body)));
      await ended();
    }
  }
  for (let kills = 0; kills < KILLS; kills += 1) {
    if (running === undefined) {
      await start('none');
    }
    const posted = Promise.all([post(remember(BIG)), post(remember(SMALL))]);
    await delay(randomInt(LONGEST_LIFE_MS));
    await killAtRandom();
    await posted;
  }

  if (running === undefined) {
    await start('none');
  }
  remember(BIG);
  remember(SMALL);
  for (const posted of posts) {
    // A key that a killed process held is free again when the next one has looked at what that left.
    await vi.waitFor(
      async () => {
        await post(posted);
        expect(posted.job).toBeDefined();
      },
      { timeout: 60_000, interval: 100 },
    );
  }
  const archives = new Map<Body, Set<string>>();
  for (const { body, job } of posts) {
    archives.set(body, (archives.get(body) ?? new Set()).add(await archiveOf(job as JobCreated, body)));
  }
  // The bytes of an archive do not depend on what happened while it was made.
  expect([...archives.values()].map(({ size }) => size)).toEqual([1, 1]);
  expect(await verify(admin)).toEqual([]);
  const spent = posts.reduce((sum, { body }) => sum + body.items, 0);
  expect(await admin.ledger.balance(organisationId)).toBe(credits - spent);
  const rows = await admin.database.selectFrom('jobs').select('id').execute();
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(posts.map(({ job }) => job?.jobId)));
  expect(rows).toHaveLength(posts.length);
  await vi.waitFor(async () => expect(await mails()).toBeGreaterThanOrEqual(posts.length), { timeout: 30_000 });
});

/** Hash of a job's archive, once it is complete. */
async function archiveOf({ jobId }: JobCreated, body: Body): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const url = `${running?.origin}/api/v1/jobs/${jobId}`;
  await vi.waitFor(
    async () => {
      const job = (await (await fetch(url, { headers })).json()) as JobResource;
      expect(job).toMatchObject({ status: 'complete', completed: body.items, creditsCharged: body.items });
    },
    { timeout: 120_000, interval: 50 },
  );
  const archive = await (await fetch(`${url}/download`, { headers })).arrayBuffer();
  return createHash('sha256').update(Buffer.from(archive)).digest('hex');
}

/** Mails that were delivered, and those that wait until the claim of a killed process has run out. */
async function mails(): Promise<number> {
  const delivered = await readdir(join(folder, 'outbox')).catch(() => []);
  const waiting = await admin.database.selectFrom('mails').select('id').execute();
  return delivered.length + waiting.length;
}
