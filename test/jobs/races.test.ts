/** What happens twice at once counts once: outcomes of chunks, ends of jobs, refunds, whole rooms. */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../src/jobs/job.ts';
import { type ChunkResult, JobStore } from '../../src/jobs/job-store.ts';
import { LeaseStore } from '../../src/jobs/lease-store.ts';
import { Jobs } from '../../src/jobs/jobs.ts';
import { ProcessFolder } from '../../src/jobs/process-folder.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { archiveText } from './fake-engine.ts';
import { chunkRanges, Workshop } from './workshop.ts';

const SEGMENT = { segmentBytes: 5, directoryBytes: 3, entries: 10, headerBytes: 4 };
const DONE: ChunkResult = { status: 'done', completed: 10, failed: 0, segment: SEGMENT };
const ARCHIVE = { headerBytes: 4, tailBytes: 1, archiveBytes: 10 };

describeOnDatabases('a job that two work on', (kind) => {
  let workshop: Workshop;
  let store: JobStore;
  let leases: LeaseStore;
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
    await workshop.jobs.close();
    store = new JobStore(workshop.database);
    leases = new LeaseStore(workshop.database, 'me');
  });
  afterEach(() => workshop.close());

  /** A job that nobody works on: the room is closed. */
  const accept = (total: number): Promise<Job> => workshop.accept(total);
  const HOLDING = { worker: 'somebody', until: Number.MAX_SAFE_INTEGER };
  /** Counts an outcome as the latest attempt's. */
  const count = (jobId: string, chunk: number, result: ChunkResult, attempt = 0) =>
    store.countChunk({ jobId, chunk, attempt }, result, HOLDING);
  const times = <T>(length: number, work: () => Promise<T>) => Promise.all(Array.from({ length }, work));

  test('counts every chunk once and is finished once', async () => {
    const { id } = await accept(50);
    const counted = await Promise.all([0, 1, 2, 3, 4].map((position) => times(4, () => count(id, position, DONE))));
    expect(counted.flat().filter((outcome) => outcome === 'last')).toHaveLength(1);
    expect(await workshop.find(id)).toMatchObject({ status: 'zipping', completed: 50, failed: 0 });
    expect(await leases.freeChunks([id])).toEqual([]);
    expect(await leases.claimChunk(id, 0, Date.now() + 1_000)).toBeUndefined();
  });

  test('ends once, one way or the other, and is refunded once', async () => {
    const { id } = await accept(20);
    await count(id, 0, DONE);
    await count(id, 1, { ...DONE, status: 'failed', completed: 0, failed: 10 });
    const ends = await Promise.all([
      times(4, () => store.complete({ jobId: id, attempt: 1 }, ARCHIVE)),
      times(4, () => store.fail(id, 'for a test')),
    ]);
    expect(ends.flat().filter((ended) => ended)).toHaveLength(1);
    const job = await workshop.find(id);
    expect(job.creditsRefunded).toBe(job.status === 'complete' ? 10 : 20);
    expect(await workshop.entries(id)).toEqual([
      ['charge', -20],
      ['refund', job.creditsRefunded],
    ]);
    expect(await workshop.balance()).toBe(1_000 - 20 + job.creditsRefunded);
  });

  test('takes no outcome once it has failed, and is not completed before its chunks are counted', async () => {
    const { id } = await accept(20);
    await count(id, 0, DONE);
    expect(await store.complete({ jobId: id, attempt: 1 }, ARCHIVE)).toBe(false);
    expect(await store.fail(id, 'for a test')).toBe(true);
    expect(await count(id, 1, DONE)).toBe('counted');
    expect(await workshop.find(id)).toMatchObject({ status: 'failed', completed: 10, failed: 10, creditsRefunded: 20 });
    expect(await leases.claimChunk(id, 1, Date.now() + 1_000)).toBeUndefined();
    await workshop.expectSound();
  });

  test('comes out right when two rooms take it up', async () => {
    const { id } = await accept(200);
    await workshop.start();
    const other = new Jobs(workshop.options({ folder: new ProcessFolder(join(workshop.folder, 'other-work')) }));
    await other.start();
    const job = await workshop.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 200, failed: 0 });
    await other.close();
    expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(200)));
    await workshop.expectSound();
  });
});
