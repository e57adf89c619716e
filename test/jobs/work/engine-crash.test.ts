/** A chunk or an archive that kills the engine every time: the job loses what is to blame, and nothing else. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineError } from '../../../src/engine/engine.js';
import { describeOnDatabases } from '../../support/databases.js';
import { archiveText } from '../fake-engine.js';
import { chunkRanges, JobsFixture } from '../jobs-fixture.js';

describeOnDatabases('an engine that dies of a task', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
  });
  afterEach(() => fixture.close());

  test('costs the chunk that kills it, which is asked for once, and no other', async () => {
    fixture.engine.onRender = ({ firstItem }) => {
      if (firstItem === 10) {
        throw new EngineError('crash', 'signal SIGABRT');
      }
    };
    const { id } = await fixture.accept(60);
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 50, failed: 10, creditsRefunded: 10 });
    const rest = chunkRanges(60).filter(({ firstItem }) => firstItem !== 10);
    expect(await fixture.archive(job)).toBe(archiveText(rest));
    expect(fixture.engine.asked.toSorted((a, b) => a - b)).toEqual([0, 10, 20, 30, 40, 50]);
    await fixture.expectSound();
  });

  test('fails a job whose archive kills it, and returns its charge', async () => {
    fixture.engine.onFinish = () => {
      throw new EngineError('crash', 'signal SIGABRT');
    };
    const { id } = await fixture.accept(10);
    expect(await fixture.ended(id)).toMatchObject({ status: 'failed', completed: 10, creditsRefunded: 10 });
    expect(await fixture.balance()).toBe(1_000);
    await fixture.expectSound();
  });
});
