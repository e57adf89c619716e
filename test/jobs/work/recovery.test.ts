/** A process that is cut off at any step leaves either nothing or the whole job, and the next start brings it to its end. */

import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../../src/database/row-id.js';
import { ProcessFolder } from '../../../src/jobs/files/process-folder.js';
import { spoolKey } from '../../../src/jobs/files/job-files.js';
import type { Job } from '../../../src/jobs/job.js';
import { Jobs } from '../../../src/jobs/jobs.js';
import { describeOnDatabases } from '../../support/databases.js';
import { namesBelow } from '../../support/names-below.js';
import { archiveText } from '../fake-engine.js';
import { chunkRanges, JobsFixture, signal } from '../jobs-fixture.js';
import { stepping } from '../stepping.js';
import { Draft } from '../../../src/jobs/files/draft.js';

const TOTAL = 25;

describeOnDatabases('jobs that were cut off', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
    await fixture.jobs.close();
  });
  afterEach(() => fixture.close());

  const workFolders = async () =>
    (await readdir(join(fixture.folder, 'work'))).filter((name) => !name.endsWith('.lock'));

  /** Jobs whose process dies at the given step: that step and all after it fail, whatever is tried. */
  function mortalJobs(lastStep: number): { jobs: Jobs; died: Promise<void>; steps: () => number } {
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
      transformQuery: ({ node }) => node,
      // After each query: those that are compiled once are not transformed again.
      transformResult: async ({ result }) => {
        onStep();
        return result;
      },
    };
    const options = fixture.options();
    const drafts = stepping(fixture.process.drafts, ['remove'], onStep);
    drafts.create = () => new Draft(drafts);
    const folder = Object.assign(fixture.process, { drafts });
    Object.assign(options, {
      folder,
      database: fixture.database.withPlugin(everyQuery),
      storage: stepping(fixture.storage, ['adopt', 'materialise', 'deleteAll'], onStep),
      engine: stepping(fixture.engine, ['renderChunk', 'readBack', 'verify', 'sumUpReadings', 'finishArchive'], onStep),
    });
    return { jobs: new Jobs(options), died: death.reached, steps: () => steps };
  }

  /** Lets a process live until it dies or the job ends; whether it died. */
  async function live(mortal: ReturnType<typeof mortalJobs>, work: () => Promise<Job | undefined>): Promise<boolean> {
    const outcome = await Promise.race([
      mortal.died.then(() => true),
      work().then(
        (job) => (job === undefined ? false : fixture.ended(job.id).then(() => false)),
        () => true,
      ),
    ]);
    await mortal.jobs.close();
    return outcome;
  }

  test('loses nothing and charges once, wherever the cut and a second cut fell', { timeout: 300_000 }, async () => {
    let died = true;
    let cuts = 0;
    let balance = await fixture.balance();
    for (let lastStep = 1; died; lastStep += 1) {
      let accepted: Job | undefined;
      const mortal = mortalJobs(lastStep);
      died = await live(mortal, async () => {
        await mortal.jobs.start();
        accepted = await fixture.accept(TOTAL, { jobs: mortal.jobs, verifyItems: TOTAL });
        return accepted;
      });
      cuts += died ? 1 : 0;
      const second = mortalJobs(1 + ((lastStep * 7) % 40));
      await live(second, async () => {
        await second.jobs.start();
        return accepted;
      });

      await fixture.start();
      const rows = await fixture.database.selectFrom('jobs').select('id').execute();
      expect(rows.length).toBeLessThanOrEqual(1);
      expect(accepted === undefined || rows.length === 1).toBe(true);
      for (const { id } of rows) {
        const job = await fixture.ended(id);
        expect(job).toMatchObject({ status: 'complete', completed: TOTAL, failed: 0 });
        expect(job.verification).toEqual({
          verified: TOTAL,
          unread: 3,
          unreadItems: [0, 10, 20],
          least: { thousandths: 900, item: 1 },
          distribution: [0, 0, 0, TOTAL - 3, 0],
        });
        expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(TOTAL)));
        expect(await fixture.entries(id)).toEqual([['charge', -TOTAL]]);
        balance -= TOTAL;
      }
      expect(await fixture.balance()).toBe(balance);
      await fixture.expectSound();
      await fixture.jobs.sweep(Number.MAX_SAFE_INTEGER);
      expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
      await fixture.jobs.close();
      expect(await workFolders()).toEqual([]);

      await grantBack(balance);
      balance = 1_000;
    }
    expect(cuts).toBeGreaterThan(40);
  });

  async function grantBack(balance: number): Promise<void> {
    if (balance < 1_000) {
      const { Ledger } = await import('../../../src/credits/ledger-store.js');
      await new Ledger(fixture.database).grant(fixture.organisationId, 1_000 - balance, 'next round');
    }
  }

  test('renders a finished chunk no second time', { tags: ['life/restart'] }, async () => {
    const held = signal();
    const lastAsked = signal();
    await fixture.start();
    fixture.engine.onRender = async ({ firstItem }) => {
      if (firstItem === 20) {
        lastAsked.reach();
        await held.reached;
        throw new Error('stopped');
      }
    };
    const { id } = await fixture.accept(TOTAL);
    await lastAsked.reached;
    const closed = fixture.jobs.close();
    held.reach();
    await closed;
    expect((await fixture.find(id)).status).toBe('processing');
    const asked = fixture.engine.asked.length;
    fixture.engine.onRender = () => undefined;
    await fixture.start();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: TOTAL });
    expect(fixture.engine.asked.slice(asked)).toEqual([20]);
    await fixture.expectSound();
  });

  test('that is stopped waits for what is under way, and starts nothing more', async () => {
    const held = signal();
    const full = signal();
    await fixture.start();
    fixture.engine.onRender = () => {
      if (fixture.engine.running === 3) {
        full.reach();
      }
      return held.reached;
    };
    const { id } = await fixture.accept(100);
    await full.reached;
    let closed = false;
    const closing = fixture.jobs.close().then(() => {
      closed = true;
    });
    await fixture.find(id);
    expect(closed).toBe(false);
    held.reach();
    await closing;
    expect(fixture.engine.asked).toHaveLength(3);
    expect(await fixture.find(id)).toMatchObject({ status: 'processing', completed: 30 });
    await fixture.expectSound();
    await fixture.start();
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 100 });
  });

  test('deletes drafts that nobody was charged for with what was stored for them, and only those', async () => {
    const dead = fixture.process;
    const accepted = await fixture.accept(TOTAL);
    const ids = [newRowId(), newRowId(), newRowId(), accepted.id];
    const [, checked, stored] = ids as [string, string, string];
    await writeFile(dead.drafts.spoolPath(checked), 'spool');
    await writeFile(dead.drafts.spoolPath(stored), 'spool');
    await fixture.storage.adopt([{ key: spoolKey(stored), path: dead.drafts.spoolPath(stored) }]);
    await Promise.all(ids.map((id) => writeFile(dead.drafts.bodyPath(id), 'body')));
    await fixture.start();
    expect(await workFolders()).toEqual([fixture.process.name]);
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([accepted.id]);
    expect(await fixture.ended(accepted.id)).toMatchObject({ status: 'complete' });
  });

  test('deletes what a process elsewhere has left for a day, without another start', async () => {
    await fixture.start();
    const dead = new ProcessFolder(join(fixture.folder, 'work'), `elsewhere-00000000-1-${newRowId()}`);
    await dead.create();
    const id = newRowId();
    await writeFile(dead.drafts.bodyPath(id), 'body');
    await writeFile(dead.drafts.spoolPath(id), 'spool');
    await fixture.storage.adopt([{ key: spoolKey(id), path: dead.drafts.spoolPath(id) }]);
    dead.release();
    await fixture.jobs.sweep();
    expect((await workFolders()).toSorted()).toEqual([dead.name, fixture.process.name].toSorted());
    const daysAgo = new Date(Date.now() - 25 * 3_600_000);
    await utimes(dead.path, daysAgo, daysAgo);
    await fixture.jobs.sweep();
    expect(await workFolders()).toEqual([fixture.process.name]);
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
  });
});
