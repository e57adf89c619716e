/** Two processes that draw, and the engine of one does not start: the other draws everything, until both can again. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src/engine/engine.js';
import { LocalDispatcher } from '../../../src/jobs/work/queue/local-dispatcher.js';
import { describeOnDatabases } from '../../support/databases.js';
import { FakeEngine } from '../fake-engine.js';
import { JobsFixture, signal } from '../jobs-fixture.js';

describeOnDatabases('a process whose engine does not start', (kind) => {
  let fixture: JobsFixture;
  let dispatcher: LocalDispatcher;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
    await fixture.jobs.close();
    dispatcher = new LocalDispatcher(3);
  });
  afterEach(() => fixture.close());

  /** Starts the process. As the service does, it pauses when the engine says that it is down. */
  const start = () => fixture.start({ isOnlyProcess: false, dispatcher, reconcileEveryMs: 20 });
  const down = () => {
    dispatcher.pause();
    throw new EngineError('down', 'exit code 1');
  };

  test('gives its chunks back at once, takes no more, and takes part again later', async () => {
    fixture.engine.onRender = down;
    await start();
    const { id } = await fixture.accept(60);
    await vi.waitFor(async () => expect(await held(id)).toEqual({ claimed: 3, leased: 0 }), { timeout: 20_000 });
    expect(fixture.engine.asked).toHaveLength(3);
    const engine = new FakeEngine();
    const ended = signal();
    const other = await fixture.openOther({ engine, onEnded: ended.reach });
    await ended.reached;
    expect(await fixture.find(id)).toMatchObject({ status: 'complete', completed: 60, failed: 0 });
    expect([fixture.engine.asked.length, engine.asked.length]).toEqual([3, 6]);

    fixture.engine.onRender = () => undefined;
    await other.close();
    dispatcher.resume();
    const next = await fixture.accept(10);
    expect(await fixture.ended(next.id)).toMatchObject({ status: 'complete', completed: 10 });
    await fixture.expectSound();
  });

  test('gives the finishing of an archive back', async () => {
    fixture.engine.onFinish = down;
    await start();
    const { id } = await fixture.accept(10);
    await vi.waitFor(
      async () => {
        const row = await fixture.database
          .selectFrom('jobs')
          .select(['status', 'finish_attempt as attempt', 'finish_leased_until as until'])
          .where('id', '=', id)
          .executeTakeFirst();
        expect(row).toEqual({ status: 'zipping', attempt: 1, until: null });
      },
      { timeout: 20_000 },
    );
    const ended = signal();
    await fixture.openOther({ onEnded: ended.reach });
    await ended.reached;
    expect(await fixture.find(id)).toMatchObject({ status: 'complete', completed: 10 });
    await fixture.expectSound();
  });

  /** Chunks of a job that were claimed, and those that a process holds. */
  async function held(id: string) {
    const rows = await fixture.database
      .selectFrom('chunks')
      .select(['attempt', 'leased_until as until'])
      .where('job_id', '=', id)
      .execute();
    return {
      claimed: rows.filter(({ attempt }) => attempt > 0).length,
      leased: rows.filter(({ until }) => until !== null).length,
    };
  }
});
