/** A job's life when nothing is cut off: accepted, rendered, finished, delivered, expired; and what fails on the way. */

import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../src/engine/engine.js';
import type { LocalBlob } from '../../../src/storage/blob-store.js';
import { describeOnDatabases } from '../../support/databases.js';
import { namesBelow } from '../../support/names-below.js';
import { archiveText } from '../fake-engine.js';
import { checkedBody, chunkRanges, JobsFixture, signal, standstill } from '../jobs-fixture.js';
import { stepping } from '../stepping.js';
import { BodyAbortedError } from '../../../src/platform/body-aborted-error.js';

describeOnDatabases('a job', (kind) => {
  let fixture: JobsFixture;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
  });
  afterEach(() => fixture.close());

  test('is charged, rendered chunk by chunk, finished, and can be downloaded', { tags: ['1/credits'] }, async () => {
    const accepted = await fixture.accept(95);
    expect(accepted).toMatchObject({ status: 'processing', total: 95, creditsCharged: 95, creditsRefunded: 0 });
    expect(await fixture.balance()).toBe(905);
    const job = await fixture.ended(accepted.id);
    expect(job).toMatchObject({
      ...accepted,
      status: 'complete',
      finishAttempt: 1,
      completed: 95,
      startedAt: expect.any(Number) as number,
      endedAt: expect.any(Number) as number,
      headerBytes: expect.any(Number) as number,
      endBytes: expect.any(Number) as number,
      archiveBytes: expect.any(Number) as number,
    });
    expect(await fixture.archive(job)).toBe(archiveText(chunkRanges(95)));
    expect(job.archiveBytes).toBe(archiveText(chunkRanges(95)).length);
    expect(await fixture.entries(job.id)).toEqual([['charge', -95]]);
    expect(fixture.engine.asked.toSorted((a, b) => a - b)).toEqual(chunkRanges(95).map(({ firstItem }) => firstItem));
    expect(await fixture.leftovers()).toEqual([]);
    await fixture.expectSound();
  });

  test.each([
    [0xffff_fffe, true],
    [0xffff_ffff, false],
  ])('of %d bytes of segments leaves their headers out of its end: %s', async (bytes, isLeftOut) => {
    fixture.engine.tellOf = (report, { firstItem }) => ({ ...report, segmentBytes: firstItem === 0 ? 7 : bytes - 7 });
    const { headerBytes, endBytes } = await fixture.ended((await fixture.accept(20)).id);
    expect(headerBytes > 0).toBe(isLeftOut);
    expect(headerBytes + (endBytes ?? 0)).toBe('^D0;^D10;.'.length);
  });

  test('is not even stored where the credits do not suffice, and leaves nothing where they go meanwhile', async () => {
    await fixture.jobs.close();
    let stored = 0;
    const meanwhile = standstill();
    const storage = stepping(fixture.storage, ['adopt'], (when) => {
      stored += 1;
      return when === 'after adopt' ? meanwhile.stand() : undefined;
    });
    await fixture.start({ storage });
    const refusal = { code: 'insufficient_credits' };
    await expect(fixture.accept(1_001)).rejects.toMatchObject(refusal);
    expect(stored).toBe(0);
    expect(await fixture.database.selectFrom('jobs').selectAll().execute()).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
    await fixture.expectSound();

    const late = fixture.accept(600);
    const refused = expect(late).rejects.toMatchObject(refusal);
    await meanwhile.reached;
    await fixture.database.updateTable('organisations').set({ balance: 599 }).execute();
    meanwhile.release();
    await refused;
    expect(await fixture.leftovers()).toEqual([]);
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
  });

  test('gets the credits of failed items back, once, and the rest of its archive', {
    tags: ['life/failed-items'],
  }, async () => {
    fixture.engine.failedItems = ({ firstItem }) => (firstItem === 10 ? 4 : 0);
    const { id } = await fixture.accept(30);
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 26, failed: 4, creditsCharged: 30, creditsRefunded: 4 });
    expect(await fixture.entries(id)).toEqual([
      ['charge', -30],
      ['refund', 4],
    ]);
    expect(await fixture.balance()).toBe(974);
    expect(fixture.logged.join()).toContain('out of ink');
    await fixture.expectSound();
  });

  test('of which no item could be rendered has failed, and costs nothing', { tags: ['life/failed-job'] }, async () => {
    fixture.engine.failedItems = ({ itemCount }) => itemCount;
    const { id } = await fixture.accept(25);
    expect(await fixture.ended(id)).toMatchObject({ status: 'failed', completed: 0, failed: 25, creditsRefunded: 25 });
    expect(await fixture.entries(id)).toEqual([
      ['charge', -25],
      ['refund', 25],
    ]);
    expect(await fixture.balance()).toBe(1_000);
    // Its input alone is kept, for whoever makes it again.
    await expect.poll(() => namesBelow(fixture.storage, `jobs/${id}`)).toEqual(['spool']);
    await fixture.expectSound();
  });

  test('loses the chunk on which the engine breaks, and no other', async () => {
    fixture.engine.onRender = ({ firstItem }) => {
      if (firstItem === 10) {
        throw new EngineError('panic', 'index out of bounds');
      }
    };
    const { id } = await fixture.accept(30);
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: 'complete', completed: 20, failed: 10, creditsRefunded: 10 });
    expect(await fixture.archive(job)).toBe(archiveText([chunkRanges(30)[0]!, chunkRanges(30)[2]!]));
    expect(fixture.engine.asked.filter((firstItem) => firstItem === 10)).toHaveLength(1);
    await fixture.expectSound();
  });

  test('survives a disk that fails for a while', async () => {
    let failures = 0;
    fixture.engine.onRender = () => {
      failures += 1;
      if (failures <= 3) {
        throw new EngineError('io', 'no space left on device');
      }
    };
    const { id } = await fixture.accept(10);
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 10, creditsRefunded: 0 });
  });

  test('whose spool cannot be stored is refused, and leaves nothing', async () => {
    await fixture.jobs.close();
    const storage = stepping(fixture.storage, ['adopt'], (when) => {
      // After the files were moved: a sync that fails leaves them there.
      if (when === 'after adopt') {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
    });
    await fixture.start({ storage });
    await expect(fixture.accept(10)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([]);
    expect(await fixture.leftovers()).toEqual([]);
    expect(await fixture.balance()).toBe(1_000);
    await fixture.expectSound();
  });

  for (const [step, isTarget] of [
    ['segment', (key: string) => key.endsWith('.zip')],
    ['archive end', (key: string) => key.includes('/archive-end-')],
  ] as const) {
    test(`whose ${step} cannot be stored has failed after the retries, and costs nothing`, {
      tags: ['life/failed-job'],
    }, async () => {
      await fixture.jobs.close();
      let attempts = 0;
      const storage = stepping(fixture.storage, ['adopt'], (when, [blobs]) => {
        if (when === 'before adopt' && (blobs as LocalBlob[]).some(({ key }) => isTarget(key))) {
          attempts += 1;
          throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        }
      });
      await fixture.start({ storage });
      const { id } = await fixture.accept(10);
      expect(await fixture.ended(id)).toMatchObject({
        status: 'failed',
        failed: step === 'archive end' ? 0 : 10,
        creditsRefunded: 10,
      });
      expect(attempts).toBe(4);
      await fixture.jobs.close();
      expect(await fixture.leftovers()).toEqual([]);
      expect(await fixture.balance()).toBe(1_000);
      await fixture.expectSound();
    });
  }

  test('waits for an engine that is not up, however long', async () => {
    let refusals = 0;
    fixture.engine.onRender = () => {
      refusals += 1;
      if (refusals <= 50) {
        throw new EngineError('down', 'exit code 1');
      }
    };
    const { id } = await fixture.accept(10);
    expect(await fixture.ended(id)).toMatchObject({ status: 'complete', completed: 10 });
    expect(refusals).toBe(51);
  });

  for (const code of ['down', 'io'] as const) {
    test(`has its codes read back although the engine once answered \`${code}\``, async () => {
      let refusals = 0;
      const engine = stepping(fixture.engine, ['readBack'], (when) => {
        if (when === 'before readBack' && refusals === 0) {
          refusals += 1;
          throw new EngineError(code, 'not now');
        }
      });
      await fixture.jobs.close();
      await fixture.start({ engine });
      const { id } = await fixture.accept(10, { verifyItems: 10 });
      expect(await fixture.ended(id)).toMatchObject({ status: 'complete', verification: { verified: 10 } });
      expect(refusals).toBe(1);
    });
  }

  for (const [code, drawn, readBack] of [
    ['panic', 20, 10],
    ['corrupt_index', 10, 10],
    ['corrupt_spool', 10, 10],
  ] as const) {
    test(`delivers ${drawn} of its 20 items where reading the first ones back ends with \`${code}\``, async () => {
      let failures = 0;
      const engine = stepping(fixture.engine, ['readBack'], (when) => {
        if (when === 'before readBack' && failures === 0) {
          failures += 1;
          throw new EngineError(code, 'it is broken');
        }
      });
      await fixture.jobs.close();
      await fixture.start({ engine });
      const { id } = await fixture.accept(20, { verifyItems: 20 });
      expect(await fixture.ended(id)).toMatchObject({
        status: 'complete',
        completed: drawn,
        failed: 20 - drawn,
        creditsRefunded: 20 - drawn,
        verification: { verified: readBack },
      });
    });
  }

  test('is not charged when its client has left while it waited for room', async () => {
    const submission = {
      key: undefined,
      receive: (draft: { bodyPath: string }) => writeFile(draft.bodyPath, 'body'),
      requireClient: () => {
        throw new BodyAbortedError('gone');
      },
      check: async (draft: { spoolPath: string }) => {
        await writeFile(draft.spoolPath, 'spool');
        return checkedBody(10);
      },
    };
    const { organisationId } = fixture;
    await expect(fixture.jobs.accept({ organisationId }, submission)).rejects.toBeInstanceOf(BodyAbortedError);
    expect(await fixture.balance()).toBe(1_000);
    expect(await fixture.leftovers()).toEqual([]);
  });

  test('is refused for now where the store is away, and leaves nothing once it is back', async () => {
    let isAway = true;
    const storage = stepping(fixture.storage, ['adopt', 'deleteAll'], () => {
      if (isAway) {
        throw new Error('the store is away');
      }
    });
    await fixture.jobs.close();
    await fixture.start({ storage, reconcileEveryMs: 5 });
    await expect(fixture.accept(20)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await fixture.leftovers()).toHaveLength(2);
    isAway = false;
    await vi.waitFor(async () => expect(await fixture.leftovers()).toEqual([]), 10_000);
    expect(await fixture.balance()).toBe(1_000);
    await fixture.expectSound();
  });

  test('is refused where the store keeps silent, and leaves nothing once it answers', async () => {
    const silence = standstill();
    const storage = stepping(fixture.storage, ['adopt', 'deleteAll'], (when) => {
      if (when === 'after adopt') {
        throw new Error('the store is away');
      }
      return when === 'before deleteAll' ? silence.stand() : undefined;
    });
    await fixture.jobs.close();
    await fixture.start({ storage, reconcileEveryMs: 5 });
    await expect(fixture.accept(20)).rejects.toMatchObject({ code: 'unavailable' });
    silence.release();
    await vi.waitFor(async () => expect(await fixture.leftovers()).toEqual([]), 10_000);
    await fixture.expectSound();
  });

  test('expires although the files of another job cannot be deleted', async () => {
    const stuck = await fixture.ended((await fixture.accept(10)).id);
    const other = await fixture.ended((await fixture.accept(10)).id);
    await fixture.database.updateTable('jobs').set({ expires_at: 1 }).where('id', '=', stuck.id).execute();
    await fixture.database.updateTable('jobs').set({ expires_at: 2 }).where('id', '=', other.id).execute();
    const deleteAll = fixture.storage.deleteAll.bind(fixture.storage);
    const spy = vi.spyOn(fixture.storage, 'deleteAll').mockImplementation((prefix) => {
      return prefix.endsWith(stuck.id) ? Promise.reject(new Error('not permitted')) : deleteAll(prefix);
    });
    await fixture.jobs.sweep();
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual([stuck.id]);
    expect(fixture.logged.filter((line) => line.startsWith('error'))).toHaveLength(1);
    spy.mockRestore();
    await fixture.jobs.sweep();
    expect(await fixture.database.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  test('that has expired keeps no process from starting, or from ending', async () => {
    const ids = [await fixture.accept(10), await fixture.accept(10)].map(({ id }) => id);
    for (const id of ids) await fixture.ended(id);
    await fixture.database.updateTable('jobs').set({ expires_at: 1 }).execute();
    await fixture.jobs.close();
    const deletion = standstill();
    const storage = stepping(fixture.storage, ['deleteAll'], deletion.stand);
    await fixture.start({ storage });
    await deletion.reached;
    const closed = fixture.jobs.close();
    deletion.release();
    await closed;
    expect(await fixture.database.selectFrom('jobs').select('id').execute()).toHaveLength(1);
  });

  test('expires: its files and rows go, its ledger entries stay', {
    tags: ['1/retention', 'life/expiry'],
  }, async () => {
    const done = await fixture.ended((await fixture.accept(20)).id);
    const held = signal();
    fixture.engine.onRender = () => held.reached;
    const open = await fixture.accept(30);
    const reader = (await fixture.jobs.output.openArchive(done)).read();
    await fixture.jobs.sweep(done.expiresAt - 1);
    await fixture.find(done.id);
    await fixture.database.updateTable('jobs').set({ expires_at: Date.now() }).execute();
    expect(await fixture.jobs.find(fixture.organisationId, done.id)).toBeUndefined();
    expect(await fixture.jobs.findByToken(done.token)).toBeUndefined();
    await fixture.jobs.sweep();
    held.reach();
    await fixture.jobs.close();
    expect(await fixture.database.selectFrom('jobs').selectAll().execute()).toEqual([]);
    expect(await fixture.database.selectFrom('chunks').selectAll().execute()).toEqual([]);
    expect(await fixture.entries(done.id)).toEqual([['charge', -20]]);
    expect(await fixture.entries(open.id)).toEqual([
      ['charge', -30],
      ['refund', 30],
    ]);
    expect(await namesBelow(fixture.storage, `jobs/${done.id}`)).toEqual([]);
    expect(await fixture.balance()).toBe(980);
    await expect(text(reader)).rejects.toThrow('ENOENT');
  });
});
