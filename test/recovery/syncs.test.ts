/** Syncs that fail or take long, of each kind of file: nothing is acknowledged that a power cut could undo, and nobody else waits. */

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verify } from '../../src/cli/verify.js';
import type { ErrorBody, JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { readSnapshot } from '../../src/database/snapshot.js';
import { canFail, CREDITS, FaultyService } from './faulty-service.js';

const SMALL = '{"items":[{"data":"a"},{"data":"b"},{"data":"c"}]}';
const JSON_TYPE = 'application/json';
/** Two chunks. */
const BIG_ITEMS = 1_500;
const BIG = ['{}', ...Array.from({ length: BIG_ITEMS }, (_, item) => `{"data":"${item}"}`)].join('\n');
const LOG = 'qrpress.db-wal';
const DATABASE = 'qrpress.db';

/** Every n-th sync of a job fails; `npm run recovery` sets 1. */
const STRIDE = Number(process.env['QRPRESS_TEST_DISK_STRIDE'] ?? 4);

/** The sync of the spool, which comes first, and then each one after so many sound ones. */
function* faultsInTurn(): Generator<{ suffix?: string; sound?: number }> {
  yield { suffix: '.spool' };
  for (let sound = 0; ; sound += STRIDE) yield { sound };
}

/** The kind of file or folder that was synced: the end of its path, and its job's id as a word. */
function kindOf(path: string): string {
  return /\/(?:segment|index|readings|end)$|\.spool$/.exec(path)?.[0] ?? path.replace(/[0-9a-z]{26}/, 'ID');
}

let service: FaultyService;
beforeEach(async () => {
  if (canFail) service = await FaultyService.start();
});
afterEach(async () => {
  if (canFail) await service[Symbol.asyncDispose]();
});

const postSmall = (key = randomUUID()) => service.post(SMALL, JSON_TYPE, key);

async function accepted(response: Response): Promise<JobCreated> {
  expect(response.status).toBe(202);
  return (await response.json()) as JobCreated;
}

const complete = (jobId: string) =>
  vi.waitFor(
    async () => {
      const job = (await (await service.get(`/api/v1/jobs/${jobId}`)).json()) as JobResource;
      expect(job).toMatchObject({ status: 'complete', failed: 0 });
    },
    { timeout: 60_000, interval: 50 },
  );

const isReadyAgain = () =>
  vi.waitFor(async () => expect((await service.get('/readyz')).status).toBe(200), { timeout: 20_000 });

async function expectSound(spent: number): Promise<void> {
  await vi.waitFor(async () => expect(await verify(service.admin)).toEqual([]), { timeout: 60_000, interval: 500 });
  expect(await service.admin.ledger.balance(service.organisationId)).toBe(CREDITS - spent);
}

describe.runIf(canFail)('a sync', { timeout: 120_000 }, () => {
  test('of the log that fails is made good by a checkpoint before the answer', async () => {
    await accepted(await postSmall());
    const before = (await service.syncs()).length;
    await service.failSyncs({ failing: 1, suffix: LOG });
    await accepted(await postSmall());
    const syncs = (await service.syncs()).slice(before);
    const failed = syncs.findIndex(({ outcome, path }) => outcome === 'failed' && path === LOG);
    expect(failed).toBeGreaterThanOrEqual(0);
    expect(syncs.slice(failed).some(({ outcome, path }) => outcome === 'synced' && path === DATABASE)).toBe(true);
    await expectSound(6);
  });

  test('of log and database that fail refuse everything until one succeeds', async () => {
    const { jobId } = await accepted(await postSmall());
    let unknown: string | undefined;
    while (unknown === undefined) {
      await service.failSyncs({});
      await isReadyAgain();
      await service.failSyncs({ failing: 1_000_000, suffix: LOG });
      const answer = await service.post(SMALL, JSON_TYPE);
      expect(answer.status).toBe(503);
      const { error, jobId: id } = (await answer.json()) as ErrorBody & { jobId?: string };
      // Another write of the service may meet the fault first: then nothing of the job is written.
      expect(error).toBe(id === undefined ? 'unavailable' : 'outcome_unknown');
      unknown = id;
    }
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const refused = await postSmall();
      expect(refused.status).toBe(503);
      expect(((await refused.json()) as ErrorBody).error).toBe('unavailable');
    }
    expect((await service.get('/readyz')).status).toBe(503);
    expect((await service.get(`/api/v1/jobs/${jobId}`)).status).toBe(200);
    await service.failSyncs({});
    await isReadyAgain();
    // It was written, and the checkpoint has made it durable.
    await complete(unknown);
    await expectSound(6);
  });

  test('of the log that fails while another process reads: nothing is written twice', async () => {
    const unknown: string[] = [];
    while (unknown.length === 0) {
      // A snapshot keeps a checkpoint from beginning a new log.
      await readSnapshot(service.admin.database, async (read) => {
        await read('jobs').next();
        await service.failSyncs({ failing: 1, suffix: LOG });
        const answer = (await (await service.post(SMALL, JSON_TYPE)).json()) as ErrorBody & { jobId?: string };
        // Another write of the service may meet the fault: then nothing of the job is written.
        expect(answer.error).toBe(answer.jobId === undefined ? 'unavailable' : 'outcome_unknown');
        if (answer.jobId !== undefined) unknown.push(answer.jobId);
        const ready = await service.get('/readyz');
        expect(await ready.json()).toMatchObject({ checks: { database: { state: 'failed' } } });
        expect(ready.status).toBe(503);
      });
      await isReadyAgain();
    }
    await complete(unknown[0] ?? '');
    await expectSound(3);
  });

  test('of any file or folder of a job that fails: nothing is half accepted, and no file is synced a second time', async () => {
    let spent = 0;
    const failed = new Set<string>();
    for (const fault of faultsInTurn()) {
      const before = (await service.syncs()).length;
      await service.failSyncs({ failing: 1, ...fault });
      const response = await service.post(BIG, 'application/x-ndjson');
      const answer = (await response.json()) as JobCreated & ErrorBody;
      if (response.status === 202 || answer.error === 'outcome_unknown') {
        await vi.waitFor(async () => expect((await service.get('/readyz')).status).toBe(200), { timeout: 20_000 });
        await complete(answer.jobId);
        spent += BIG_ITEMS;
      } else {
        expect(answer).toMatchObject({ error: 'unavailable' });
      }
      await service.failSyncs({});
      const syncs = (await service.syncs()).slice(before);
      const at = syncs.findIndex(({ outcome }) => outcome === 'failed');
      if (at === -1) {
        break;
      }
      const { path = '' } = syncs[at] ?? {};
      failed.add(kindOf(path));
      if (/\/(?:segment|index|end)$|\.spool$/.test(path)) {
        expect(syncs.slice(at + 1).filter((sync) => sync.path === path)).toEqual([]);
      }
      await vi.waitFor(async () => expect((await service.get('/readyz')).status).toBe(200), { timeout: 20_000 });
    }
    if (STRIDE === 1) {
      expect([...failed]).toEqual(
        expect.arrayContaining(['.spool', 'storage/jobs', 'storage/jobs/ID', '/segment', '/index', '/end', LOG]),
      );
    }
    await expectSound(spent);
  });

  test('of the database takes no turn of the event loop, and delays nobody but writers', async () => {
    const before = (await service.syncs()).length;
    await service.failSyncs({ delayUs: 300_000 });
    const slow = service.post(BIG, 'application/x-ndjson');
    const answer = { isOver: false };
    void slow.finally(() => {
      answer.isOver = true;
    });
    while (!answer.isOver) {
      const asked = performance.now();
      expect((await service.get('/healthz')).status).toBe(200);
      expect(performance.now() - asked).toBeLessThan(250);
    }
    await service.failSyncs({});
    const { jobId } = await accepted(await slow);
    await complete(jobId);
    // More than a log may hold: it is copied into the database's file meanwhile.
    for (let some = 0; some < 40; some += 1) {
      await Promise.all(Array.from({ length: 10 }, async () => accepted(await postSmall())));
    }
    const syncs = (await service.syncs()).slice(before).filter(({ path }) => path.startsWith(DATABASE));
    expect(syncs.some(({ path }) => path === DATABASE)).toBe(true);
    expect(syncs.filter(({ thread }) => thread === 'main')).toEqual([]);
  });
});
