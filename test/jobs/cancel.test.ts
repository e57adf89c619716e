/** Cancelling and deleting, while others render, finish, or do the same. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../src/engine/engine.js';
import { describeOnDatabases } from '../support/databases.js';
import { namesBelow } from '../support/names-below.js';
import { FakeEngine } from './fake-engine.js';
import { JobsFixture, standstill } from './jobs-fixture.js';

describeOnDatabases('a job that is cancelled or deleted', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
  });
  afterEach(() => fixture.close());

  /** A job of 50 items in five chunks, of which the first is drawn and three are being drawn. */
  async function halfDone() {
    const frozen = standstill();
    fixture.engine.onRender = async ({ firstItem }) => {
      if (firstItem > 0) await frozen.stand();
    };
    const job = await fixture.accept(50);
    await frozen.reached;
    await expect.poll(async () => (await fixture.find(job.id)).completed).toBe(10);
    await expect.poll(() => fixture.engine.running).toBe(3);
    return { job, frozen };
  }

  const filesOf = (id: string) => namesBelow(fixture.storage, `jobs/${id}`);

  test('stops what was not begun, keeps what was drawn, and is refunded for the rest once', async () => {
    const { job, frozen } = await halfDone();
    const cancelled = await fixture.jobs.cancel(job);
    // Without it an account could fill the disk with jobs whose credits come back.
    expect(await filesOf(job.id)).toEqual([]);
    const expected = { status: 'failed', failure: 'cancelled', completed: 10, failed: 40, creditsRefunded: 40 };
    expect(cancelled).toMatchObject(expected);
    expect(await fixture.balance()).toBe(1_000 - 10);
    frozen.release();
    await expect.poll(() => fixture.engine.running).toBe(0);
    expect(await fixture.jobs.cancel(job)).toEqual(cancelled);
    await fixture.jobs.close();
    // Chunks that were being drawn were drawn to their end, and changed nothing. The others were never begun.
    expect(fixture.engine.asked.toSorted((left, right) => left - right)).toEqual([0, 10, 20, 30]);
    expect(await filesOf(job.id)).toEqual([]);
    expect(await fixture.find(job.id)).toEqual(cancelled);
    expect(await fixture.entries(job.id)).toEqual([
      ['charge', -50],
      ['refund', 40],
    ]);
    await fixture.expectSound();
  });

  test('loses its files where its process was killed before they were deleted, and it is cancelled again', async () => {
    const { job, frozen } = await halfDone();
    vi.spyOn(fixture.storage, 'deleteAll').mockRejectedValueOnce(new Error('killed'));
    await fixture.jobs.cancel(job);
    expect(await filesOf(job.id)).not.toEqual([]);
    await fixture.jobs.cancel(job);
    expect(await filesOf(job.id)).toEqual([]);
    frozen.release();
  });

  test('is cancelled once by many at a time, in one process and in another', async () => {
    const { job, frozen } = await halfDone();
    const other = await fixture.openOther();
    const processes = [fixture.jobs, other, fixture.jobs, other, other];
    const record = vi.fn(async () => undefined);
    const answers = await Promise.all(processes.map((jobs) => jobs.cancel(job, record)));
    expect(record).toHaveBeenCalledOnce();
    frozen.release();
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await fixture.entries(job.id)).toEqual([
      ['charge', -50],
      ['refund', 40],
    ]);
  });

  test.each([1, 2, 3, 4, 5])('ends one way or the other when it is cancelled as its last chunk ends: %d', async () => {
    const job = await fixture.accept(30);
    await expect.poll(() => fixture.engine.asked.length).toBeGreaterThan(1);
    const cancelled = await fixture.jobs.cancel(job).catch((error: Error & { code: string }) => error.code);
    const ended = await fixture.ended(job.id);
    const refunded = (await fixture.entries(job.id)).slice(1).map(([, amount]) => amount);
    if (cancelled === 'not_cancellable') {
      expect(ended).toMatchObject({ status: 'complete', completed: 30, creditsRefunded: 0 });
      expect(refunded).toEqual([]);
    } else {
      expect(ended).toEqual(cancelled);
      expect(ended).toMatchObject({ status: 'failed', failure: 'cancelled', creditsRefunded: 30 - ended.completed });
      expect(refunded).toEqual(ended.completed === 30 ? [] : [30 - ended.completed]);
    }
    await fixture.jobs.close();
    expect(await fixture.find(job.id)).toEqual(ended);
    await fixture.expectSound();
  });

  test('is cancelled while its archive is finished: all is drawn and paid for', async () => {
    const frozen = standstill();
    fixture.engine.onFinish = frozen.stand;
    const job = await fixture.accept(20);
    await frozen.reached;
    expect(await fixture.jobs.cancel(job)).toMatchObject({ status: 'failed', completed: 20, creditsRefunded: 0 });
    frozen.release();
    await fixture.jobs.close();
    expect(await fixture.find(job.id)).toMatchObject({ status: 'failed', failure: 'cancelled', completed: 20 });
    expect(await filesOf(job.id)).toEqual([]);
    await fixture.expectSound();
  });

  test('is cancelled by one process while another holds its chunks', { tags: ['additions/cancel'] }, async () => {
    await fixture.jobs.close();
    const frozen = standstill();
    const engine = new FakeEngine();
    engine.onRender = frozen.stand;
    await fixture.start({ isOnlyProcess: false, engine });
    const other = await fixture.openOther();
    const job = await fixture.accept(50);
    await frozen.reached;
    const cancelled = await other.cancel(job);
    expect(cancelled).toMatchObject({ status: 'failed', failure: 'cancelled', failed: 50 - cancelled.completed });
    frozen.release();
    await fixture.jobs.close();
    expect(await fixture.find(job.id)).toEqual(cancelled);
    await fixture.expectSound();
  });

  test('leaves nothing when it is deleted while its chunks are still drawn', {
    tags: ['additions/delete'],
  }, async () => {
    const { job, frozen } = await halfDone();
    await expect(fixture.jobs.delete(job)).rejects.toMatchObject({ code: 'not_ended' });
    await fixture.jobs.cancel(job);
    await fixture.jobs.delete(job);
    expect(await fixture.jobs.find(fixture.organisationId, job.id)).toBeUndefined();
    expect(await filesOf(job.id)).toEqual([]);
    frozen.release();
    await fixture.jobs.close();
    expect(await filesOf(job.id)).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
    expect(fixture.logged.filter((line) => line.startsWith('error'))).toEqual([]);
    await expect(fixture.jobs.delete(job)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fixture.jobs.cancel(job)).rejects.toMatchObject({ code: 'not_found' });
    expect(await fixture.balance()).toBe(1_000 - 10);
    await fixture.expectSound();
  });

  test('leaves nothing where the store fails when a chunk of a deleted job deletes its files', async () => {
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    const job = await fixture.accept(10);
    await frozen.reached;
    await fixture.jobs.cancel(job);
    await fixture.jobs.delete(job);
    const deletions = vi.spyOn(fixture.storage, 'deleteAll').mockRejectedValueOnce(new Error('the store is away'));
    frozen.release();
    await expect.poll(() => deletions.mock.settledResults.map(({ type }) => type)).toEqual(['rejected', 'fulfilled']);
    expect(await filesOf(job.id)).toEqual([]);
    await fixture.expectSound();
  });

  test('is recorded as cancelled, also where it is deleted before the answer', async () => {
    const { job, frozen } = await halfDone();
    const records: string[] = [];
    const record = (change: string) => async () => void records.push(change);
    // Deleting the files is the last step of cancelling.
    vi.spyOn(fixture.storage, 'deleteAll').mockImplementationOnce(() => fixture.jobs.delete(job, record('deleted')));
    expect(await fixture.jobs.cancel(job, record('cancelled'))).toMatchObject({ failure: 'cancelled' });
    expect(records).toEqual(['cancelled', 'deleted']);
    await expect(fixture.jobs.cancel(job)).rejects.toMatchObject({ code: 'not_found' });
    frozen.release();
  });

  test('is not tried again when its input is gone', async () => {
    const frozen = standstill();
    fixture.engine.onRender = async () => {
      await frozen.stand();
      throw new EngineError('io', 'no such file');
    };
    const job = await fixture.accept(10);
    await frozen.reached;
    await fixture.jobs.cancel(job);
    await fixture.jobs.delete(job);
    frozen.release();
    await fixture.jobs.close();
    expect(fixture.engine.asked).toEqual([0]);
    expect(await filesOf(job.id)).toEqual([]);
    expect(fixture.logged.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('is deleted by one of many at a time', async () => {
    const { id } = await fixture.accept(10);
    const job = await fixture.ended(id);
    const other = await fixture.openOther();
    const outcomes = await Promise.allSettled([fixture.jobs, other, other].map((jobs) => jobs.delete(job)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
    );
    expect(codes).toEqual(['not_found', 'not_found']);
    expect(await filesOf(id)).toEqual([]);
    expect(await fixture.entries(id)).toEqual([['charge', -10]]);
  });

  test('is not found by whoever has seen it before: not an empty archive, nor an empty manifest', async () => {
    const { id } = await fixture.accept(10);
    const job = await fixture.ended(id);
    await fixture.jobs.delete(job);
    const { output } = fixture.jobs;
    const readings = [
      () => output.openArchive(job),
      () => output.openManifest(job, { form: 'ndjson', namesMissing: false }),
      () => output.findItems(job, { from: 0, limit: 1 }),
      () => output.settings(job),
    ];
    for (const read of readings) {
      await expect(read()).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await output.findPicture(job, 0, 'png')).toBeUndefined();
  });

  test('is out of sight at once, and gone with the next sweep, where its files cannot be deleted now', async () => {
    const { id } = await fixture.accept(10);
    const job = await fixture.ended(id);
    const away = vi.spyOn(fixture.storage, 'deleteAll').mockRejectedValue(new Error('the store is away'));
    await fixture.jobs.delete(job);
    expect(await fixture.jobs.find(fixture.organisationId, id)).toBeUndefined();
    expect((await filesOf(id)).length).toBeGreaterThan(0);
    away.mockRestore();
    await fixture.jobs.sweep();
    expect(await filesOf(id)).toEqual([]);
    await fixture.expectSound();
  });
});
