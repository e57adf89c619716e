/** A process that stood still past its leases changes nothing when it comes back, whatever others did meanwhile. */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../src/database/row-id.ts';
import type { Task } from '../../src/dispatch/dispatcher.ts';
import { LocalDispatcher } from '../../src/dispatch/local-dispatcher.ts';
import type { Job } from '../../src/jobs/job.ts';
import { type JobsOptions, Jobs } from '../../src/jobs/jobs.ts';
import { LeaseStore } from '../../src/jobs/lease-store.ts';
import { ProcessFolder } from '../../src/jobs/process-folder.ts';
import { EngineError } from '../../src/render/engine-error.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { archiveText, FakeEngine } from './fake-engine.ts';
import { chunkRanges, standstill, Workshop } from './workshop.ts';

describeOnDatabases('a room that lost its leases', (kind) => {
  let workshop: Workshop;
  let others: Jobs[];
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
    others = [];
  });
  afterEach(async () => {
    await Promise.all(others.map((jobs) => jobs.close()));
    await workshop.close();
  });

  /** Another room on the same database and store, with an engine of its own. */
  async function openOther(changes: Partial<JobsOptions> = {}): Promise<Jobs> {
    const folder = new ProcessFolder(join(workshop.folder, newRowId()));
    const jobs = new Jobs(workshop.options({ folder, engine: new FakeEngine(), reconcileEveryMs: 20, ...changes }));
    others.push(jobs);
    await jobs.start();
    return jobs;
  }

  /** Lets every lease run out, as time would for a process that stands still. */
  async function runOut(): Promise<void> {
    await workshop.database.updateTable('chunks').set({ leased_until: 1 }).execute();
    await workshop.database.updateTable('jobs').set({ tail_leased_until: 1 }).execute();
  }

  /** A job that another room ended, while this one stood still from that call of the engine on; it then comes back, and closes. */
  async function endedByOtherSince(call: 'onRender' | 'onFinish'): Promise<Job> {
    const frozen = standstill();
    workshop.engine[call] = frozen.stand;
    const { id } = await workshop.accept(10);
    await frozen.reached;
    await runOut();
    await openOther();
    const job = await workshop.ended(id);
    frozen.release();
    await workshop.jobs.close();
    return job;
  }

  const filesOf = async (id: string) => (await workshop.storage.list(`jobs/${id}`)).toSorted();

  test('nobody holds the tail of a job whose queue is shared: whoever is next to take it finishes it', async () => {
    await workshop.jobs.close();
    await workshop.start({
      isSole: false,
      createDispatcher: (handle) => {
        const own = new LocalDispatcher(3, handle);
        const submit = (tasks: readonly Task[]) => own.submit(tasks.filter(({ chunk }) => chunk !== undefined));
        return { submit, sent: () => own.sent(), close: () => own.close() };
      },
    });
    const { id } = await workshop.accept(30);
    await openOther({ isSole: false });
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    await workshop.expectSound();
  });

  test('while it rendered: its pictures are refused and deleted', async () => {
    const job = await endedByOtherSince('onRender');
    const { id } = job;
    expect(workshop.leasesLost).toBe(1);
    expect(await filesOf(id)).toEqual(['segment-000000-2.directory', 'segment-000000-2.zip', 'spool', 'tail-1']);
    expect(await workshop.find(id)).toEqual(job);
    expect(job).toMatchObject({ status: 'complete', completed: 10, failed: 0 });
    expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(10)));
    await workshop.expectSound();
  });

  test('while it finished: its tail is refused and deleted', async () => {
    const job = await endedByOtherSince('onFinish');
    const { id } = job;
    expect(workshop.leasesLost).toBe(1);
    expect(await filesOf(id)).toEqual(['segment-000000-1.directory', 'segment-000000-1.zip', 'spool', 'tail-2']);
    expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(10)));
    await workshop.expectSound();
  });

  test('has no say in whether a job fails', async () => {
    const frozen = standstill();
    workshop.engine.onRender = async () => {
      await frozen.stand();
      throw new EngineError('io', 'no space left on device');
    };
    const { id } = await workshop.accept(10);
    await frozen.reached;
    await runOut();
    const other = standstill();
    const engine = new FakeEngine();
    engine.onRender = other.stand;
    await openOther({ engine });
    await other.reached;
    frozen.release();
    await workshop.jobs.close();
    expect(await workshop.find(id)).toMatchObject({ status: 'processing' });
    other.release();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 10 });
    await workshop.expectSound();
  });

  test('to the job’s expiry leaves no files', async () => {
    const frozen = standstill();
    workshop.engine.onRender = frozen.stand;
    await workshop.accept(10);
    await frozen.reached;
    await workshop.jobs.sweep(Number.MAX_SAFE_INTEGER);
    frozen.release();
    await workshop.jobs.close();
    expect(await workshop.storage.list('jobs')).toEqual([]);
  });

  test('keeps what it renders for longer than a lease, and nobody renders it again', async () => {
    await workshop.jobs.close();
    await workshop.start({ leaseMs: 150 });
    const frozen = standstill();
    workshop.engine.onRender = frozen.stand;
    const { id } = await workshop.accept(10);
    await frozen.reached;
    const leasedUntil = async () =>
      (await workshop.database.selectFrom('chunks').select('leased_until').executeTakeFirstOrThrow()).leased_until ?? 0;
    const first = await leasedUntil();
    const engine = new FakeEngine();
    await openOther({ engine });
    await expect.poll(leasedUntil, { timeout: 10_000 }).toBeGreaterThan(first + 300);
    frozen.release();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete' });
    expect(engine.asked).toEqual([]);
  });

  test('has its chunks taken over at once when it closes', async () => {
    workshop.engine.onRender = () => Promise.reject(new Error('stopped'));
    await workshop.jobs.close();
    await workshop.start();
    const { id } = await workshop.accept(100);
    await workshop.jobs.close();
    expect(await new LeaseStore(workshop.database, 'other').freeChunks([id])).toHaveLength(10);
    workshop.engine.onRender = () => undefined;
    await openOther();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 100 });
  });
});
