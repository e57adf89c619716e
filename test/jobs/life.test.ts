/** A job's life when nothing is cut off: accepted, rendered, finished, delivered, expired; and what fails on the way. */

import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/account/organisation-store.ts';
import { newRowId } from '../../src/database/row-id.ts';
import { EngineError } from '../../src/render/engine-error.ts';
import { FarmCrashError } from '../../src/render/farm-crash-error.ts';
import type { LocalBlob } from '../../src/storage/blob-store.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { archiveText } from './fake-engine.ts';
import { stepping } from './stepping.ts';
import { chunkRanges, signal, standstill, Workshop } from './workshop.ts';

describeOnDatabases('a job', (kind) => {
  let workshop: Workshop;
  beforeEach(async () => {
    workshop = await Workshop.open(kind);
  });
  afterEach(() => workshop.close());

  test('is charged, rendered chunk by chunk, finished, and can be downloaded', async () => {
    const accepted = await workshop.accept(95);
    expect(accepted).toMatchObject({ status: 'processing', total: 95, creditsCharged: 95, creditsRefunded: 0 });
    expect(await workshop.balance()).toBe(905);
    const job = await workshop.ended(accepted.id);
    expect(job).toMatchObject({
      ...accepted,
      status: 'complete',
      tailAttempt: 1,
      completed: 95,
      endedAt: expect.any(Number) as number,
      headerBytes: expect.any(Number) as number,
      tailBytes: expect.any(Number) as number,
      archiveBytes: expect.any(Number) as number,
    });
    expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(95)));
    expect(job.archiveBytes).toBe(archiveText(chunkRanges(95)).length);
    expect(await workshop.entries(job.id)).toEqual([['charge', -95]]);
    expect(workshop.engine.asked.toSorted((a, b) => a - b)).toEqual(chunkRanges(95).map(({ firstItem }) => firstItem));
    expect(await workshop.leftovers()).toEqual([]);
    await workshop.expectSound();
  });

  test('has all headers in its tail where an older process, which does not say how long they are, did a chunk', async () => {
    workshop.engine.tellOf = ({ segmentBytes, ...report }) =>
      workshop.engine.asked.length === 1
        ? { ...report, segmentBytes }
        : { ...report, segmentBytes, directoryBytes: 0, entries: 0, headerBytes: 0 };
    const job = await workshop.ended((await workshop.accept(20)).id);
    expect(job).toMatchObject({ status: 'complete', headerBytes: 0 });
    expect(await workshop.archive(job)).toBe(archiveText(chunkRanges(20)));
    await workshop.expectSound();
  });

  test.each([
    [0xffff_fffe, true],
    [0xffff_ffff, false],
  ])('of %d bytes of segments leaves their headers out of its tail: %s', async (bytes, isLeftOut) => {
    workshop.engine.tellOf = (report, { firstItem }) => ({ ...report, segmentBytes: firstItem === 0 ? 7 : bytes - 7 });
    const { id, headerBytes, tailBytes } = await workshop.ended((await workshop.accept(20)).id);
    expect(headerBytes > 0).toBe(isLeftOut);
    expect(headerBytes + (tailBytes ?? 0)).toBe('^D0;^D10;.'.length);
    const rows = workshop.database.selectFrom('jobs').select('tail_bytes').where('id', '=', id);
    // A process from before takes an archive whose tail it cannot read for one that is not ready.
    expect(await rows.executeTakeFirst()).toEqual({ tail_bytes: isLeftOut ? null : tailBytes });
  });

  test('is its organisation’s alone, and found by its token', async () => {
    const { id, token } = await workshop.accept(5);
    const job = await workshop.ended(id);
    const stranger = await new OrganisationStore(workshop.database).create({
      name: 'B',
      ownerEmail: 'b@example.org',
      credits: 0,
    });
    expect(await workshop.jobs.find(stranger, id)).toBeUndefined();
    expect(await workshop.jobs.find(workshop.organisationId, newRowId())).toBeUndefined();
    expect(await workshop.jobs.find(workshop.organisationId, token)).toBeUndefined();
    expect(await workshop.jobs.find(workshop.organisationId, `${id}/..`)).toBeUndefined();
    expect(await workshop.jobs.findByToken(token)).toEqual(job);
    expect(await workshop.jobs.findByToken(id)).toBeUndefined();
    expect(token).not.toBe(id);
  });

  test('that cannot be paid is never created', async () => {
    await expect(workshop.accept(1_001)).rejects.toMatchObject({
      code: 'insufficient_credits',
      members: { required: 1_001, balance: 1_000 },
    });
    expect(await workshop.database.selectFrom('jobs').selectAll().execute()).toEqual([]);
    expect(await workshop.database.selectFrom('chunks').selectAll().execute()).toEqual([]);
    expect(await workshop.leftovers()).toEqual([]);
    expect(await workshop.storage.list('jobs')).toEqual([]);
    await workshop.expectSound();
  });

  test('is not even stored where the credits do not suffice, and leaves nothing where they go meanwhile', async () => {
    await workshop.jobs.close();
    let stored = 0;
    const meanwhile = standstill();
    const storage = stepping(workshop.storage, ['adopt'], (when) => {
      stored += 1;
      return when === 'after adopt' ? meanwhile.stand() : undefined;
    });
    await workshop.start({ storage });
    const refusal = { code: 'insufficient_credits' };
    await expect(workshop.accept(1_001)).rejects.toMatchObject(refusal);
    expect(stored).toBe(0);
    expect(await workshop.leftovers()).toEqual([]);

    const late = workshop.accept(600);
    const refused = expect(late).rejects.toMatchObject(refusal);
    await meanwhile.reached;
    await workshop.database.updateTable('organisations').set({ balance: 599 }).execute();
    meanwhile.release();
    await refused;
    expect(await workshop.leftovers()).toEqual([]);
    expect(await workshop.storage.list('jobs')).toEqual([]);
  });

  test('is accepted as often as the credits last, however many come at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, () => workshop.accept(30)));
    const accepted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(accepted).toHaveLength(33);
    expect(await workshop.balance()).toBe(10);
    const ended = await Promise.all(accepted.map(({ id }) => workshop.ended(id)));
    expect(ended.every(({ status, completed }) => status === 'complete' && completed === 30)).toBe(true);
    await workshop.expectSound();
  });

  test('shows its progress, which only rises, and has no archive before it is complete', async () => {
    const held = signal();
    const zipping = signal();
    const release = signal();
    workshop.engine.onRender = ({ firstItem }) => (firstItem === 20 ? held.reached : undefined);
    workshop.engine.onFinish = () => {
      zipping.reach();
      return release.reached;
    };
    const { id } = await workshop.accept(30);
    const notReady = async () => workshop.jobs.openArchive(await workshop.find(id));
    await expect(notReady()).rejects.toMatchObject({ code: 'not_ready' });
    held.reach();
    await zipping.reached;
    expect(await workshop.find(id)).toMatchObject({ status: 'zipping', completed: 30, failed: 0, endedAt: null });
    await expect(notReady()).rejects.toMatchObject({ code: 'not_ready' });
    release.reach();
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete' });
  });

  test('gets the credits of failed items back, once, and the rest of its archive', async () => {
    workshop.engine.failedItems = ({ firstItem }) => (firstItem === 10 ? 4 : 0);
    const { id } = await workshop.accept(30);
    const job = await workshop.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 26, failed: 4, creditsCharged: 30, creditsRefunded: 4 });
    expect(await workshop.entries(id)).toEqual([
      ['charge', -30],
      ['refund', 4],
    ]);
    expect(await workshop.balance()).toBe(974);
    expect(workshop.logged.join()).toContain('out of ink');
    await workshop.expectSound();
  });

  test('of which no item could be rendered has failed, and costs nothing', async () => {
    workshop.engine.failedItems = ({ itemCount }) => itemCount;
    const { id } = await workshop.accept(25);
    expect(await workshop.ended(id)).toMatchObject({ status: 'failed', completed: 0, failed: 25, creditsRefunded: 25 });
    expect(await workshop.entries(id)).toEqual([
      ['charge', -25],
      ['refund', 25],
    ]);
    expect(await workshop.balance()).toBe(1_000);
    await workshop.expectSound();
  });

  test('loses the chunk on which the engine breaks, and no other', async () => {
    workshop.engine.onRender = ({ firstItem }) => {
      if (firstItem === 10) {
        throw new EngineError('panic', 'index out of bounds');
      }
    };
    const { id } = await workshop.accept(30);
    const job = await workshop.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 20, failed: 10, creditsRefunded: 10 });
    expect(await workshop.archive(job)).toBe(archiveText([chunkRanges(30)[0]!, chunkRanges(30)[2]!]));
    expect(workshop.engine.asked.filter((firstItem) => firstItem === 10)).toHaveLength(1);
    await workshop.expectSound();
  });

  test('survives a disk that fails for a while', async () => {
    let failures = 0;
    workshop.engine.onRender = () => {
      failures += 1;
      if (failures <= 3) {
        throw new EngineError('io', 'no space left on device');
      }
    };
    const { id } = await workshop.accept(10);
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 10, creditsRefunded: 0 });
  });

  test('whose spool cannot be stored is refused, and leaves nothing', async () => {
    await workshop.jobs.close();
    const storage = stepping(workshop.storage, ['adopt'], (when) => {
      // After the files were moved: a sync that fails leaves them there.
      if (when === 'after adopt') {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
    });
    await workshop.start({ storage });
    await expect(workshop.accept(10)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await workshop.storage.list('jobs')).toEqual([]);
    expect(await workshop.leftovers()).toEqual([]);
    expect(await workshop.balance()).toBe(1_000);
    await workshop.expectSound();
  });

  for (const [step, isTarget] of [
    ['segment', (key: string) => key.endsWith('.zip')],
    ['tail', (key: string) => key.includes('/tail-')],
  ] as const) {
    test(`whose ${step} cannot be stored has failed after the retries, and costs nothing`, async () => {
      await workshop.jobs.close();
      let attempts = 0;
      const storage = stepping(workshop.storage, ['adopt'], (when, [blobs]) => {
        if (when === 'before adopt' && (blobs as LocalBlob[]).some(({ key }) => isTarget(key))) {
          attempts += 1;
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }
      });
      await workshop.start({ storage });
      const { id } = await workshop.accept(10);
      expect(await workshop.ended(id)).toMatchObject({
        status: 'failed',
        failed: step === 'tail' ? 0 : 10,
        creditsRefunded: 10,
      });
      expect(attempts).toBe(4);
      await workshop.jobs.close();
      expect(await workshop.leftovers()).toEqual([]);
      expect(await workshop.balance()).toBe(1_000);
      await workshop.expectSound();
    });
  }

  test('waits for a farm that is not up, however long', async () => {
    let refusals = 0;
    workshop.engine.onRender = () => {
      refusals += 1;
      if (refusals <= 50) {
        throw new FarmCrashError('exit code 1', false, 1);
      }
    };
    const { id } = await workshop.accept(10);
    expect(await workshop.ended(id)).toMatchObject({ status: 'complete', completed: 10 });
    expect(refusals).toBe(51);
  });

  test('expires: its files and rows go, its ledger entries stay', async () => {
    const done = await workshop.ended((await workshop.accept(20)).id);
    const held = signal();
    workshop.engine.onRender = () => held.reached;
    const open = await workshop.accept(30);
    const reader = (await workshop.jobs.openArchive(done)).read();
    await workshop.jobs.sweep(done.expiresAt - 1);
    await workshop.find(done.id);
    await workshop.database.updateTable('jobs').set({ expires_at: Date.now() }).execute();
    expect(await workshop.jobs.find(workshop.organisationId, done.id)).toBeUndefined();
    expect(await workshop.jobs.findByToken(done.token)).toBeUndefined();
    await workshop.jobs.sweep();
    held.reach();
    await workshop.jobs.close();
    expect(await workshop.database.selectFrom('jobs').selectAll().execute()).toEqual([]);
    expect(await workshop.database.selectFrom('chunks').selectAll().execute()).toEqual([]);
    expect(await workshop.entries(done.id)).toEqual([['charge', -20]]);
    expect(await workshop.entries(open.id)).toEqual([
      ['charge', -30],
      ['refund', 30],
    ]);
    expect(await workshop.storage.list(`jobs/${done.id}`)).toEqual([]);
    expect(await workshop.balance()).toBe(980);
    await expect(text(reader)).rejects.toThrow('ENOENT');
  });
});
