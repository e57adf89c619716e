/** A process that is cut off at any step leaves either nothing or the whole job, and the next start brings it to its end. */

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../src/database/row-id.ts';
import type { Job } from '../../src/jobs/job.ts';
import { spoolKey } from '../../src/jobs/job-files.ts';
import { Jobs } from '../../src/jobs/jobs.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { archiveText } from './fake-engine.ts';
import { stepping } from './stepping.ts';
import { chunkRanges, signal, Workshop } from './workshop.ts';

const TOTAL = 25;

describeOnDatabases('a jobs room that was cut off', (kind) => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
    await workshop.jobs.close();
  });
  afterEach(() => workshop.close());

  /** A jobs room whose process dies at the given step: that step and all after it fail, whatever is tried. */
  function mortalRoom(lastStep: number): { jobs: Jobs; died: Promise<void>; steps: () => number } {
    let steps = 0;
    const death = signal();
    const onStep = () => {
      steps += 1;
      if (steps >= lastStep) {
        death.reach();
        throw new Error('the process is dead');
      }
    };
    const everyQuery: KyselyPlugin = {
      transformQuery: ({ node }) => {
        onStep();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const options = workshop.options();
    const folder = Object.assign(workshop.process, {
      drafts: stepping(workshop.process.drafts, ['remove'], onStep),
    });
    Object.assign(options, {
      folder,
      database: workshop.database.withPlugin(everyQuery),
      storage: stepping(workshop.storage, ['adopt', 'materialise', 'deleteAll'], onStep),
      engine: stepping(workshop.engine, ['renderChunk', 'finishArchive'], onStep),
    });
    return { jobs: new Jobs(options), died: death.reached, steps: () => steps };
  }

  /** Lets a room live until it dies or the job ends; whether it died. */
  async function live(room: ReturnType<typeof mortalRoom>, work: () => Promise<Job | undefined>): Promise<boolean> {
    const outcome = await Promise.race([
      room.died.then(() => true),
      work().then(
        (job) => (job === undefined ? false : workshop.ended(job.id).then(() => false)),
        () => true,
      ),
    ]);
    await room.jobs.close();
    return outcome;
  }

  test('loses nothing and charges once, wherever the cut and a second cut fell', { timeout: 120_000 }, async () => {
    let died = true;
    let cuts = 0;
    let balance = await workshop.balance();
    for (let lastStep = 1; died; lastStep += 1) {
      let accepted: Job | undefined;
      const room = mortalRoom(lastStep);
      died = await live(room, async () => {
        await room.jobs.start();
        accepted = await workshop.accept(TOTAL, { jobs: room.jobs });
        return accepted;
      });
      cuts += died ? 1 : 0;
      const second = mortalRoom(1 + ((lastStep * 7) % 40));
      await live(second, async () => {
        await second.jobs.start();
        return accepted;
      });

      await workshop.start();
      const rows = await workshop.database.selectFrom('jobs').select('id').execute();
      expect(rows.length).toBeLessThanOrEqual(1);
      expect(accepted === undefined || rows.length === 1).toBe(true);
      for (const { id } of rows) {
        const job = await workshop.ended(id);
        expect(job).toMatchObject({ status: 'complete', completed: TOTAL, failed: 0 });
        expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(TOTAL)));
        expect(await workshop.entries(id)).toEqual([['charge', -TOTAL]]);
        balance -= TOTAL;
      }
      expect(await workshop.balance()).toBe(balance);
      await workshop.expectSound();
      await workshop.jobs.close();
      expect(await readdir(join(workshop.folder, 'work'))).toEqual([]);

      await workshop.jobs.sweep(Number.MAX_SAFE_INTEGER);
      expect(await workshop.storage.list('jobs')).toEqual([]);
      await grantBack(balance);
      balance = 1_000;
    }
    expect(cuts).toBeGreaterThan(40);
  });

  async function grantBack(balance: number): Promise<void> {
    if (balance < 1_000) {
      const { Ledger } = await import('../../src/credits/ledger.ts');
      await new Ledger(workshop.database).grant(workshop.organisationId, 1_000 - balance, 'next round');
    }
  }

  test('renders a finished chunk no second time', async () => {
    const held = signal();
    const lastAsked = signal();
    await workshop.start();
    workshop.engine.onRender = async ({ firstItem }) => {
      if (firstItem === 20) {
        lastAsked.reach();
        await held.reached;
        throw new Error('stopped');
      }
    };
    const { id } = await workshop.accept(TOTAL);
    await lastAsked.reached;
    const closed = workshop.jobs.close();
    held.reach();
    await closed;
    expect((await workshop.find(id)).status).toBe('processing');
    const asked = workshop.engine.asked.length;
    workshop.engine.onRender = () => undefined;
    await workshop.start();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: TOTAL });
    expect(workshop.engine.asked.slice(asked)).toEqual([20]);
    await workshop.expectSound();
  });

  test('that is stopped waits for what is under way, and starts nothing more', async () => {
    const held = signal();
    const full = signal();
    await workshop.start();
    workshop.engine.onRender = () => {
      if (workshop.engine.running === 3) {
        full.reach();
      }
      return held.reached;
    };
    const { id } = await workshop.accept(100);
    await full.reached;
    let closed = false;
    const closing = workshop.jobs.close().then(() => {
      closed = true;
    });
    await workshop.find(id);
    expect(closed).toBe(false);
    held.reach();
    await closing;
    expect(workshop.engine.asked).toHaveLength(3);
    expect(await workshop.find(id)).toMatchObject({ status: 'processing', completed: 30 });
    await workshop.expectSound();
    await workshop.start();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 100 });
  });

  test('deletes drafts that nobody was charged for with what was stored for them, and only those', async () => {
    const dead = workshop.process;
    const accepted = await workshop.accept(TOTAL);
    const ids = [newRowId(), newRowId(), newRowId(), accepted.id];
    const [, checked, stored] = ids as [string, string, string];
    await writeFile(dead.drafts.spoolPath(checked), 'spool');
    await writeFile(dead.drafts.spoolPath(stored), 'spool');
    await workshop.storage.adopt([{ key: spoolKey(stored), path: dead.drafts.spoolPath(stored) }]);
    await Promise.all(ids.map((id) => writeFile(dead.drafts.bodyPath(id), 'body')));
    await workshop.start();
    expect(await readdir(join(workshop.folder, 'work'))).toEqual([workshop.process.name]);
    expect(await workshop.storage.list('jobs')).toEqual([accepted.id]);
    expect(await workshop.ended(accepted.id)).toMatchObject({ status: 'complete' });
  });
});
