/** A process that stood still past its leases changes nothing when it comes back, whatever others did meanwhile. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Dispatcher, Step } from '../../src/jobs/work/queue/dispatcher.js';
import { LocalDispatcher } from '../../src/jobs/work/queue/local-dispatcher.js';
import { EngineError } from '../../src/engine/engine.js';
import type { Job } from '../../src/jobs/job.js';
import { LeaseStore } from '../../src/jobs/lease-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { namesBelow } from '../support/names-below.js';
import { archiveText, FakeEngine } from './fake-engine.js';
import { chunkRanges, JobsFixture, standstill } from './jobs-fixture.js';

describeOnDatabases('a process that lost its leases', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
  });
  afterEach(() => fixture.close());

  /** Lets every lease run out, as time would for a process that stands still. */
  async function runOut(): Promise<void> {
    await fixture.database.updateTable('chunks').set({ leased_until: 1 }).execute();
    await fixture.database.updateTable('jobs').set({ finish_leased_until: 1 }).execute();
  }

  /** A job that another process ended, while this one stood still from that call of the engine on; it then comes back, and closes. */
  async function endedByOtherSince(call: 'onRender' | 'onFinish', items = 10): Promise<Job> {
    const frozen = standstill();
    fixture.engine[call] = frozen.stand;
    const { id } = await fixture.accept(items);
    await frozen.reached;
    await vi.waitFor(() => expect(fixture.engine.asked).toHaveLength(chunkRanges(items).length), { timeout: 20_000 });
    await runOut();
    await fixture.openOther();
    const job = await fixture.ended(id);
    frozen.release();
    await fixture.jobs.close();
    return job;
  }

  const filesOf = (id: string) => namesBelow(fixture.storage, `jobs/${id}`);

  test('by giving them back keeps them free, although a renewal of them was slow', async () => {
    await fixture.jobs.close();
    const { id } = await fixture.accept(10);
    const leases = new LeaseStore(fixture.database, 'me');
    const claimed = await leases.claimChunk(id, 0, Date.now() + 30_000);
    if (claimed === undefined || 'busyUntil' in claimed) throw new Error('the chunk was not free');
    const lease = { jobId: id, chunk: 0, attempt: claimed.attempt };
    await leases.renew([lease], Date.now() + 40_000);
    await leases.release(lease);
    await leases.renew([lease], Date.now() + 50_000);
    expect(await leases.freeChunks([id])).toEqual([{ jobId: id, chunk: 0 }]);
  });

  test('nobody holds the finishing of a job whose queue is shared: whoever is next to take it finishes it', async () => {
    await fixture.jobs.close();
    const own = new LocalDispatcher(3);
    const submit = (steps: readonly Step[]) => own.submit(steps.filter(({ chunk }) => chunk !== undefined));
    const dispatcher: Dispatcher = {
      start: (handle) => own.start(handle),
      submit,
      sent: () => own.sent(),
      figures: (organisationId) => own.figures(organisationId),
      pause: () => own.pause(),
      resume: () => own.resume(),
      close: () => own.close(),
    };
    await fixture.start({ isOnlyProcess: false, dispatcher });
    const { id } = await fixture.accept(30);
    await fixture.openOther();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    await fixture.expectSound();
  });

  test('while it rendered: its pictures are refused and deleted', async () => {
    const job = await endedByOtherSince('onRender');
    const { id } = job;
    expect(fixture.leasesLost).toBe(1);
    expect(await filesOf(id)).toEqual(['archive-end-1', 'segment-000000-2.index', 'segment-000000-2.zip', 'spool']);
    expect(await fixture.find(id)).toEqual(job);
    expect(job).toMatchObject({ status: 'complete', completed: 10, failed: 0 });
    expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(10)));
    await fixture.expectSound();
  });

  test('with several chunks in hand tells of it once, also in its log', async () => {
    const job = await endedByOtherSince('onRender', 30);
    expect(job).toMatchObject({ status: 'complete', completed: 30 });
    expect(fixture.leasesLost).toBe(1);
    expect(fixture.logged.filter((line) => line.includes('took over'))).toEqual([expect.stringContaining(job.id)]);
  });

  test('while it finished: its archive end is refused and deleted', async () => {
    const job = await endedByOtherSince('onFinish');
    const { id } = job;
    expect(fixture.leasesLost).toBe(1);
    expect(await filesOf(id)).toEqual(['archive-end-2', 'segment-000000-1.index', 'segment-000000-1.zip', 'spool']);
    expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(10)));
    await fixture.expectSound();
  });

  test('has no say in whether a job fails', async () => {
    const frozen = standstill();
    fixture.engine.onRender = async () => {
      await frozen.stand();
      throw new EngineError('io', 'no space left on device');
    };
    const { id } = await fixture.accept(10);
    await frozen.reached;
    await runOut();
    const other = standstill();
    const engine = new FakeEngine();
    engine.onRender = other.stand;
    await fixture.openOther({ engine });
    await other.reached;
    frozen.release();
    await fixture.jobs.close();
    expect(await fixture.find(id)).toMatchObject({ status: 'processing' });
    other.release();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 10 });
    await fixture.expectSound();
  });

  test('to the job’s expiry leaves no files', async () => {
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    await fixture.accept(10);
    await frozen.reached;
    await fixture.jobs.sweep(Number.MAX_SAFE_INTEGER);
    frozen.release();
    await fixture.jobs.close();
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
  });

  test('keeps what it renders for longer than a lease, and nobody renders it again', async () => {
    await fixture.jobs.close();
    await fixture.start({ leaseMs: 1_000 });
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    const { id } = await fixture.accept(10);
    await frozen.reached;
    const leasedUntil = async () =>
      (await fixture.database.selectFrom('chunks').select('leased_until').executeTakeFirstOrThrow()).leased_until ?? 0;
    const first = await leasedUntil();
    const engine = new FakeEngine();
    await fixture.openOther({ engine });
    await expect.poll(leasedUntil, { timeout: 20_000 }).toBeGreaterThan(first + 1_500);
    frozen.release();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete' });
    expect(engine.asked).toEqual([]);
  });

  test('has its chunks taken over at once when it closes', async () => {
    fixture.engine.onRender = () => Promise.reject(new Error('stopped'));
    await fixture.jobs.close();
    await fixture.start();
    const { id } = await fixture.accept(100);
    await fixture.jobs.close();
    expect(await new LeaseStore(fixture.database, 'other').freeChunks([id])).toHaveLength(10);
    fixture.engine.onRender = () => undefined;
    await fixture.openOther();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 100 });
  });
});
