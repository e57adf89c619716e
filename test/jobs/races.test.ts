/** Outcomes of chunks, ends of jobs, refunds and whole processes: two at the same time count once. */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessFolder } from '../../src/jobs/files/process-folder.js';
import type { Job } from '../../src/jobs/job.js';
import type { ChunkResult } from '../../src/jobs/chunk-store.js';
import { JobStore } from '../../src/jobs/job-store.js';
import { Jobs } from '../../src/jobs/jobs.js';
import { LeaseStore } from '../../src/jobs/lease-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { NOTHING_VERIFIED } from '../../src/engine/verify-chunk.js';
import { archiveText } from './fake-engine.js';
import { chunkRanges, JobsFixture } from './jobs-fixture.js';

const SEGMENT = { segmentBytes: 5, indexBytes: 3, entries: 10, headerBytes: 4 };
const DONE: ChunkResult = {
  status: 'done',
  completed: 10,
  failed: 0,
  segment: SEGMENT,
  verification: NOTHING_VERIFIED,
  readingsBytes: 0,
  startedAt: 1,
};
const ARCHIVE = { headerBytes: 4, endBytes: 1, archiveBytes: 10 };

describeOnDatabases('a job that two work on', (kind) => {
  let fixture: JobsFixture;
  let store: JobStore;
  let leases: LeaseStore;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
    await fixture.jobs.close();
    store = new JobStore(fixture.database);
    leases = new LeaseStore(fixture.database, 'me');
  });
  afterEach(() => fixture.close());

  /** A job that nobody works on: the process is closed. */
  const accept = (total: number): Promise<Job> => fixture.accept(total);
  const HOLDING = { worker: 'somebody', until: Number.MAX_SAFE_INTEGER };
  /** Counts an outcome as the latest attempt's. */
  const count = (jobId: string, chunk: number, result: ChunkResult, attempt = 0) =>
    store.countChunk({ jobId, chunk, attempt }, result, HOLDING);
  const times = <T>(length: number, work: () => Promise<T>) => Promise.all(Array.from({ length }, work));

  test('counts every chunk once and is finished once', async () => {
    const { id } = await accept(50);
    const counted = await Promise.all([0, 1, 2, 3, 4].map((position) => times(4, () => count(id, position, DONE))));
    expect(counted.flat().filter((outcome) => outcome === 'last')).toHaveLength(1);
    expect(await fixture.find(id)).toMatchObject({ status: 'zipping', completed: 50, failed: 0 });
    expect(await leases.freeChunks([id])).toEqual([]);
    expect(await leases.claimChunk(id, 0, Date.now() + 1_000)).toBeUndefined();
  });

  test('ends once, one way or the other, and is refunded once', async () => {
    const { id } = await accept(20);
    await count(id, 0, DONE);
    await count(id, 1, { ...DONE, status: 'failed', completed: 0, failed: 10 });
    const ends = await Promise.all([
      times(4, () => store.complete({ jobId: id, attempt: 1 }, ARCHIVE)),
      times(4, () => store.fail(id, 'not_stored')),
    ]);
    expect(ends.flat().filter((ended) => ended)).toHaveLength(1);
    const job = await fixture.find(id);
    expect(job.creditsRefunded).toBe(job.status === 'complete' ? 10 : 20);
    expect(await fixture.entries(id)).toEqual([
      ['charge', -20],
      ['refund', job.creditsRefunded],
    ]);
    expect(await fixture.balance()).toBe(1_000 - 20 + job.creditsRefunded);
  });

  test('takes no outcome once it has failed, and is not completed before its chunks are counted', async () => {
    const { id } = await accept(20);
    await count(id, 0, DONE);
    expect(await store.complete({ jobId: id, attempt: 1 }, ARCHIVE)).toBe(false);
    expect(await store.fail(id, 'not_stored')).toBe(true);
    expect(await count(id, 1, DONE)).toBe('refused');
    expect(await fixture.find(id)).toMatchObject({ status: 'failed', completed: 10, failed: 10, creditsRefunded: 20 });
    expect(await leases.claimChunk(id, 1, Date.now() + 1_000)).toBeUndefined();
    await fixture.expectSound();
  });

  test('comes out right when two processes take it up', async () => {
    const { id } = await accept(200);
    await fixture.start();
    const other = new Jobs(fixture.options({ folder: new ProcessFolder(join(fixture.folder, 'other-work')) }));
    await other.start();
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 200, failed: 0 });
    await other.close();
    expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(200)));
    await fixture.expectSound();
  });
});
