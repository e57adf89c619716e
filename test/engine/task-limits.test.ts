/** Tasks that never end, need more memory than there is, or overflow a stack: each ends its process, and nobody else's work. */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { sqlite } from '../support/databases.js';
import { ndjson, startTestService } from '../support/service.js';
import { textOf } from './carried-text.js';
import { type EngineFixture, openEngineFixture } from './engine-fixture.js';

const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) {
    await close();
  }
});

/** The path of a file that nobody ever writes to: a thread that opens it waits until its process is killed. */
function endlessFile(folder = tmpdir()): string {
  const path = join(folder, randomUUID());
  execFileSync('mkfifo', [path]);
  return path;
}

interface Opened {
  fixture: EngineFixture;
  supervisor: EngineSupervisor;
  crashes: EngineCrash[];
}

async function open(options: { threads: number; taskTimeoutMs?: number; program?: string }): Promise<Opened> {
  const fixture = await openEngineFixture();
  const crashes: EngineCrash[] = [];
  const supervisor = new EngineSupervisor({ chunkItems: 1_000, onCrash: (crash) => crashes.push(crash), ...options });
  toClose.push(
    () => supervisor.close(),
    () => fixture.remove(),
  );
  await supervisor.describe();
  return { fixture, supervisor, crashes };
}

test('a check that never ends is ended, twice, and what runs beside it is done', async () => {
  const { fixture, supervisor, crashes } = await open({ threads: 2, taskTimeoutMs: 400 });
  const body = await fixture.ndjson({}, [{ data: 'a' }]);
  const endless = supervisor.check({ ...body, bodyPath: endlessFile(fixture.path('')) });
  const beside = Array.from({ length: 20 }, () => supervisor.check(body));
  await expect(endless).rejects.toMatchObject({
    code: 'crash',
    message: expect.stringContaining('too long') as string,
  });
  expect(await Promise.all(beside)).toMatchObject(beside.map(() => ({ total: 1 })));
  expect(crashes.map(({ death }) => death)).toEqual(['a task took too long', 'a task took too long']);
});

test('long checks leave a thread to those that are short', { timeout: 90_000 }, async () => {
  const { fixture, supervisor } = await open({ threads: 2, taskTimeoutMs: 2_500 });
  const body = await fixture.ndjson({}, [{ data: 'a' }]);
  const long = [1, 2].map(() => supervisor.check({ ...body, bodyPath: endlessFile(fixture.path('')) }));
  let ended = 0;
  for (const each of long) each.catch(() => (ended += 1));
  const short = { ...body, body: Buffer.from('{"items":[{"data":"a"}]}'), form: 'json' as const };
  for (let checked = 0; checked < 5; checked += 1) {
    expect(await supervisor.check(short)).toMatchObject({ total: 1 });
  }
  expect(ended).toBe(0);
  await Promise.allSettled(long);
});

test('tasks that wait for a thread are not late', async () => {
  const { fixture, supervisor, crashes } = await open({ threads: 1, taskTimeoutMs: 400 });
  const body = await fixture.ndjson({}, [{ data: 'a' }]);
  const endless = [1, 2].map(() => supervisor.check({ ...body, bodyPath: endlessFile(fixture.path('')) }));
  const behind = supervisor.check(body);
  const codes = (await Promise.allSettled(endless)).map(
    (result) => result.status === 'rejected' && (result.reason as { code: string }).code,
  );
  expect(codes).toEqual(['crash', 'crash']);
  expect(await behind).toMatchObject({ total: 1 });
  // Each was ended once beside others and once alone.
  expect(crashes).toHaveLength(4);
});

test('a chunk that never ends costs its items, and its job ends', { timeout: 60_000 }, async () => {
  const service = await startTestService(sqlite, { chunkItems: 50 }, { patience: { taskTimeoutMs: 500 } });
  toClose.push(() => service.close());
  const { storage } = service.admin;
  const materialise = vi.spyOn(storage, 'materialise');
  materialise.mockImplementationOnce(async () => endlessFile(service.admin.folder.scratch));
  const items = Array.from({ length: 120 }, (_, item) => ({ data: `${item}` }));
  const balance = await service.balance();
  const { jobId } = await service.submit(...ndjson({}, ...items));
  const job = await service.ended(jobId);
  expect(job).toMatchObject({ status: 'complete', total: 120, creditsRefunded: job.failed });
  expect([20, 50]).toContain(job.failed);
  expect(await service.balance()).toBe(balance - 120 + job.failed);
  expect(materialise).toHaveBeenCalledTimes(3);
});

test('a process that runs out of memory is replaced, and the task to blame is refused alone', async () => {
  const program = fileURLToPath(new URL('small-process.js', import.meta.url));
  const { fixture, supervisor, crashes } = await open({ threads: 1, program });
  // Its items' hashes are kept until all are known.
  const items = Array.from({ length: 1_000_000 }, (_, item) => `{"data":"${item}"}`);
  const greedy = supervisor.check(await fixture.body('ndjson', ['{}', ...items].join('\n')));
  const modest = supervisor.check({
    body: Buffer.from('{"items":[{"data":"a"}]}'),
    bodyPath: fixture.path('modest'),
    form: 'json',
    spoolPath: fixture.path('modest-spool'),
  });
  await expect(greedy).rejects.toMatchObject({ code: 'crash' });
  expect(await modest).toMatchObject({ total: 1 });
  expect(crashes.length).toBeGreaterThanOrEqual(2);
});

test('a signal as of a stack that overflowed ends the process, and one task alone', async () => {
  const program = fileURLToPath(new URL('scripted-process.js', import.meta.url));
  const { supervisor, crashes } = await open({ threads: 1, program });
  const check = (body: string) => supervisor.check({ bodyPath: body, form: 'json', spoolPath: '/nowhere/spool' });
  const deep = check('overflow');
  const other = check('slow');
  await expect(deep).rejects.toMatchObject({ code: 'crash', message: expect.stringContaining('SIGSEGV') as string });
  expect(textOf(await other)).toBe('slow');
  expect(crashes[0]).toMatchObject({ death: 'signal SIGSEGV' });
});
