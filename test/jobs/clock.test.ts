/** Clocks that jump, by an hour and by ninety days, forward and back: jobs end once, nothing is stuck, and retention is by the clock. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sweepTime } from '../../src/database/clock.js';
import { describeOnDatabases } from '../support/databases.js';
import { namesBelow } from '../support/names-below.js';
import { archiveText } from './fake-engine.js';
import { chunkRanges, JobsFixture, standstill } from './jobs-fixture.js';

const HOUR_MS = 3_600_000;
const DAYS_90_MS = 90 * 24 * HOUR_MS;

const JUMPS = [
  ['an hour forward', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['ninety days back', -DAYS_90_MS],
] as const;

describeOnDatabases('a clock that jumps', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    // Timers go on: only what the clock says is wrong.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    fixture = await JobsFixture.open(kind);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await fixture.close();
  });

  const jump = (ms: number) => vi.setSystemTime(Date.now() + ms);

  test.each(JUMPS)('%s while a chunk is drawn: its job ends once', async (_, ms) => {
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    const { id } = await fixture.accept(30);
    await frozen.reached;
    jump(ms);
    await fixture.openOther();
    frozen.release();
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 30, failed: 0 });
    expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(30)));
    expect(await fixture.entries(id)).toEqual([['charge', -30]]);
    await fixture.jobs.close();
    await fixture.expectSound();
  });

  test.each(JUMPS)('%s after a process died: its chunks go to another at once', async (_, ms) => {
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    const { id } = await fixture.accept(30);
    await frozen.reached;
    jump(ms);
    if (ms > 0) {
      // Until the process that stands still renews them, as a dead one never would.
      await fixture.database
        .updateTable('chunks')
        .set({ leased_until: Date.now() - ms })
        .execute();
    }
    await fixture.openOther();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 30 });
    frozen.release();
    await fixture.jobs.close();
    await fixture.expectSound();
  });

  test('a hundred days forward at a start: nothing is deleted before the clock has been so for a day', async () => {
    const { id } = await fixture.accept(10);
    await fixture.ended(id);
    const day = 24 * HOUR_MS;
    const isTrusted = async () => (await sweepTime(fixture.database)) !== 0;
    await vi.waitFor(async () =>
      expect(await fixture.database.selectFrom('sweep_clock').select('id').execute()).toHaveLength(1),
    );
    const ids = () => fixture.database.selectFrom('jobs').select('id').execute();
    jump(100 * day);
    await fixture.openOther();
    await vi.waitFor(async () =>
      expect(await fixture.database.selectFrom('sweep_clock').select('doubted_at').execute()).toEqual([
        { doubted_at: expect.any(Number) },
      ]),
    );
    expect(await ids()).toEqual([{ id }]);
    // Corrected after a while: what it was makes no later sweep of the right clock wait, and is no reason for another jump.
    jump(-100 * day + HOUR_MS);
    expect(await isTrusted()).toBe(true);
    jump(100 * day);
    expect(await isTrusted()).toBe(false);
    jump(day - 1);
    expect(await isTrusted()).toBe(false);
    expect(await ids()).toEqual([{ id }]);
    jump(1);
    await fixture.openOther();
    await vi.waitFor(async () => expect(await ids()).toEqual([]), { timeout: 10_000 });
  });

  test('ninety days forward: jobs and their files end by the clock, one under way is refunded once', async () => {
    const { id: done } = await fixture.accept(10);
    await fixture.ended(done);
    const frozen = standstill();
    fixture.engine.onRender = frozen.stand;
    const { id: underWay } = await fixture.accept(20);
    await frozen.reached;
    jump(DAYS_90_MS + 1);
    await fixture.jobs.sweep(Date.now());
    frozen.release();
    await fixture.jobs.close();
    await vi.waitFor(async () => expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]), { timeout: 10_000 });
    expect(await fixture.database.selectFrom('jobs').select('id').execute()).toEqual([]);
    expect(await fixture.entries(underWay)).toEqual([
      ['charge', -20],
      ['refund', 20],
    ]);
    expect(await fixture.entries(done)).toEqual([['charge', -10]]);
    expect(await fixture.balance()).toBe(990);
    await fixture.expectSound();
  });
});
