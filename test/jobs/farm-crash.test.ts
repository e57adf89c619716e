/** When the farm dies: who was under way runs again alone, and only a chunk that surely kills it is given up. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RenderRequest } from '../../src/render/engine.ts';
import { FarmCrashError } from '../../src/render/farm-crash-error.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { archiveText } from './fake-engine.ts';
import { chunkRanges, signal, Workshop } from './workshop.ts';

describeOnDatabases('a farm that dies', (kind) => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
  });
  afterEach(() => workshop.close());

  /** Lets the given chunk kill the farm every time, once three chunks are under way or it is alone. */
  function killWith(killer: number, onAsked: (request: RenderRequest) => void = () => undefined): void {
    const full = signal();
    let deaths = 0;
    workshop.engine.onRender = async (request) => {
      onAsked(request);
      if (workshop.engine.running === 3) {
        full.reach();
      }
      if (deaths === 0) {
        await full.reached;
      }
      if (request.firstItem === killer) {
        deaths += 1;
        workshop.engine.die();
        await new Promise(() => undefined);
      }
    };
  }

  test('costs the chunk that kills it alone, and no other', async () => {
    const aloneWith: number[] = [];
    killWith(10, () => aloneWith.push(workshop.engine.running));
    const { id } = await workshop.accept(60);
    const job = await workshop.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 50, failed: 10, creditsRefunded: 10 });
    const rest = chunkRanges(60).filter(({ firstItem }) => firstItem !== 10);
    expect(await workshop.archive(job)).toBe(archiveText(rest));
    // The first three chunks were under way; each of them, and nothing beside it, ran again.
    const again = workshop.engine.asked.slice(3, 6);
    expect(again.toSorted((a, b) => a - b)).toEqual([0, 10, 20]);
    expect(aloneWith.slice(3, 6)).toEqual([1, 1, 1]);
    expect(workshop.engine.asked.filter((firstItem) => firstItem === 10)).toHaveLength(2);
    await workshop.expectSound();
  });

  test('costs nothing when it dies of something that happens once', async () => {
    const full = signal();
    let died = false;
    workshop.engine.onRender = async () => {
      if (!died) {
        if (workshop.engine.running === 3) {
          full.reach();
        }
        await full.reached;
        if (!died) {
          died = true;
          workshop.engine.die();
        }
      }
    };
    const { id } = await workshop.accept(60);
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 60, creditsRefunded: 0 });
    await workshop.expectSound();
  });

  test('is not blamed on a lone chunk while something else was in the farm’s hands', async () => {
    let deaths = 0;
    workshop.engine.onRender = () => {
      deaths += 1;
      if (deaths <= 4) {
        throw new FarmCrashError('signal SIGSEGV', true, 2);
      }
    };
    const { id } = await workshop.accept(10);
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 10 });
  });

  test('fails a job whose archive kills it every time, and returns its charge', async () => {
    workshop.engine.onFinish = async () => {
      workshop.engine.die();
      await new Promise(() => undefined);
    };
    const { id } = await workshop.accept(10);
    expect(await workshop.ended(id)).toMatchObject({ status: 'failed', completed: 10, creditsRefunded: 10 });
    expect(await workshop.balance()).toBe(1_000);
    await workshop.expectSound();
  });

  test('takes another job’s chunks along, and none of them is lost', async () => {
    killWith(20);
    const jobs = await Promise.all([workshop.accept(30), workshop.accept(40)]);
    const ended = await Promise.all(jobs.map(({ id }) => workshop.ended(id)));
    expect(ended.map(({ completed, failed }) => [completed, failed])).toEqual([
      [20, 10],
      [30, 10],
    ]);
    expect(await workshop.balance()).toBe(950);
    await workshop.expectSound();
  });
});
