/** Every invariant, broken one by one, is named; a sound house gives an empty list. */

import { rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newRowId } from '../../src/database/row-id.js';
import type { Job } from '../../src/jobs/job.js';
import { readExisting } from '../../src/cli/verify-store.js';
import { verify } from '../../src/cli/verify.js';
import type { BlobStore } from '../../src/storage/blob-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { namesBelow } from '../support/names-below.js';
import { JobsFixture, signal, standstill } from '../jobs/jobs-fixture.js';
import { stepping } from '../jobs/stepping.js';

describeOnDatabases('verify', (kind) => {
  let fixture: JobsFixture;
  let complete: Job;
  beforeEach(async () => {
    fixture = await JobsFixture.open(kind);
    fixture.engine.failedItems = ({ firstItem }) => (firstItem === 0 ? 1 : 0);
    complete = await fixture.ended((await fixture.accept(20)).id);
  });
  afterEach(() => fixture.close());

  const problems = async () =>
    (await verify(fixture, { graceMs: 200 })).map(({ subject, problem }) => `${subject}: ${problem}`);
  const updateJob = (values: object) =>
    fixture.database.updateTable('jobs').set(values).where('id', '=', complete.id).execute();
  const blob = (name: string) => join(fixture.folder, 'blobs', 'jobs', complete.id, name);

  test('finds nothing in a sound house, also while jobs are under way', async () => {
    const held = signal();
    fixture.engine.onRender = ({ firstItem }) => (firstItem === 10 ? held.reached : undefined);
    const running = await fixture.accept(30);
    expect(await problems()).toEqual([]);
    held.reach();
    await fixture.ended(running.id);
    expect(await problems()).toEqual([]);
  });

  test('does not mind what ends or is deleted while it looks at the jobs before', async () => {
    const held = signal();
    fixture.engine.onRender = ({ firstItem }) => (firstItem === 10 ? held.reached : undefined);
    const running = [await fixture.accept(20), await fixture.accept(20), await fixture.accept(20)];
    const jobs = [complete, ...running].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const listed = new Set<string | undefined>();
    const change = async () => {
      held.reach();
      await Promise.all(running.map(({ id }) => fixture.ended(id)));
      await fixture.jobs.delete(await fixture.ended((jobs.at(-1) as Job).id));
    };
    async function* list(prefix: string) {
      for await (const file of fixture.storage.list(prefix)) {
        yield file;
        // The rows were read once the files of the first job are all known.
        if (listed.size < 2 && listed.add(file.key.split('/')[1]).size === 2) await change();
      }
    }
    const storage = new Proxy(fixture.storage, {
      get: (store, name: keyof BlobStore) => (name === 'list' ? list : (store[name] as () => unknown).bind(store)),
    });
    expect(await verify({ database: fixture.database, storage }, { graceMs: 200 })).toEqual([]);
    expect(listed.size).toBe(2);
  });

  test('looks at every job, however many there are', async () => {
    await fixture.jobs.close();
    await Promise.all(Array.from({ length: 205 }, () => fixture.accept(1)));
    expect(await problems()).toEqual([]);
    await fixture.database.updateTable('jobs').set({ spool_bytes: 1 }).where('status', '=', 'processing').execute();
    expect(await problems()).toHaveLength(205);
  });

  test('asks the store for one listing of all jobs', async () => {
    await Promise.all(Array.from({ length: 5 }, async () => fixture.ended((await fixture.accept(20)).id)));
    const called: string[] = [];
    const storage = new Proxy(fixture.storage, {
      get: (store, name: keyof BlobStore) => {
        called.push(name);
        return (store[name] as () => unknown).bind(store);
      },
    });
    expect(await verify({ database: fixture.database, storage })).toEqual([]);
    expect(called).toEqual(['list']);
  });

  const breaks: [what: string, how: () => Promise<unknown>, problem: RegExp][] = [
    [
      'a balance',
      () => fixture.database.updateTable('organisations').set({ balance: 7 }).execute(),
      /its balance is 7, its ledger entries add up to 981/,
    ],
    [
      'a missing charge',
      () => fixture.database.deleteFrom('ledger_entries').where('kind', '=', 'charge').execute(),
      /ledger entry of its charge: null, expected -20/,
    ],
    [
      'a refund above the charge',
      () => fixture.database.updateTable('ledger_entries').set({ amount: 21 }).where('kind', '=', 'refund').execute(),
      /its charge is 20, all its ledger entries add up to 1/,
    ],
    [
      'a missing refund',
      () => fixture.database.deleteFrom('ledger_entries').where('kind', '=', 'refund').execute(),
      /ledger entry of its refund: 0, expected 1/,
    ],
    [
      'the sums of a day',
      () => fixture.database.updateTable('ledger_days').set({ jobs: 3 }).execute(),
      /by nobody have 0 credits and -2 jobs more than the sums of that day/,
    ],
    ['a counter', () => updateJob({ completed: 18 }), /items completed and failed: 19, expected 20/],
    ['a count of failures', () => updateJob({ completed: 18, failed: 2 }), /failed items: 2, expected 1/],
    ['credits that do not fit the items', () => updateJob({ credits_charged: 19 }), /credits charged: 19, expected 20/],
    ['an end that is missing', () => updateJob({ ended_at: null }), /has an end: 0, expected 1/],
    ['the size of an archive', () => updateJob({ archive_bytes: 1 }), /bytes of its archive: 1, expected/],
    [
      'a lost chunk',
      () => fixture.database.deleteFrom('chunks').where('position', '=', 1).execute(),
      /items of its chunks: 10, expected 20/,
    ],
    ['all chunks lost', () => fixture.database.deleteFrom('chunks').execute(), /items of its chunks: 0, expected 20/],
    [
      'a segment cut short',
      () => truncate(blob('segment-000001-1.zip'), 2),
      /segment-000001-1.zip: 2 bytes, expected 7/,
    ],
    ['the size of its headers', () => updateJob({ header_bytes: 1 }), /bytes of its headers: 1, expected 9/],
    ['a missing index', () => rm(blob('segment-000001-1.index')), /segment-000001-1.index: no bytes, expected/],
    ['a missing end', () => rm(blob('archive-end-1')), /archive-end-1: no bytes, expected/],
    ['a missing spool', () => rm(blob('spool')), /spool: no bytes, expected 5/],
    [
      'a file too many',
      () => writeFile(blob('segment-000002.zip'), ''),
      /segment-000002.zip: a file that belongs to nothing/,
    ],
    ['files without a row', () => fixture.database.deleteFrom('jobs').execute(), /has files, but no row/],
  ];
  for (const [what, how, problem] of breaks) {
    test(`names ${what}`, async () => {
      await how();
      expect((await problems()).join('\n')).toMatch(problem);
    });
  }

  test('does not mind the files of a job that is being deleted', async () => {
    await updateJob({ expires_at: Date.now() });
    await rm(join(fixture.folder, 'blobs', 'jobs', complete.id), { recursive: true });
    expect(await problems()).toEqual([]);
  });

  test('looks for the rows of any number of jobs', async () => {
    const ids = Array.from({ length: 33_000 }, newRowId);
    expect(await readExisting(fixture.database, [...ids, complete.id])).toEqual(new Set([complete.id]));
  });

  test('does not mind entries of jobs that have expired', async () => {
    await fixture.jobs.sweep(Number.MAX_SAFE_INTEGER);
    expect(await problems()).toEqual([]);
    await fixture.database
      .insertInto('ledger_entries')
      .values({
        organisation_id: fixture.organisationId,
        kind: 'refund',
        amount: 3,
        balance_after: 0,
        job_id: newRowId(),
        reason: 'x',
        created_at: 0,
      })
      .execute();
    expect((await problems()).join('\n')).toMatch(/its charge is -3, all its ledger entries add up to 3/);
  });

  test('deletes what a host left that never came back, where it is asked to, and nothing that may be somebody’s', async () => {
    const put = async (id: string, name: string, ageMs: number) => {
      const path = join(fixture.folder, 'local');
      await writeFile(path, name);
      const written = new Date(Date.now() - ageMs);
      await utimes(path, written, written);
      await fixture.storage.adopt([{ key: `jobs/${id}/${name}`, path }]);
    };
    const hour = 3_600_000;
    const [abandoned, cut, recent, underWay, foreign] = [newRowId(), newRowId(), newRowId(), newRowId(), newRowId()];
    await put(abandoned, 'spool', 25 * hour);
    await put(cut, 'spool-000000', 25 * hour);
    await put(cut, 'spool-000001', 25 * hour);
    await put(recent, 'spool', 23 * hour);
    await put(underWay, 'spool-000000', 25 * hour);
    await put(underWay, 'spool-000001', 23 * hour);
    // As where the settings name the database of another service.
    await put(foreign, 'spool', 25 * hour);
    await put(foreign, 'archive-end-1', 25 * hour);
    const present = await namesBelow(fixture.storage, 'jobs');
    const names = (ids: string[]) => ids.map((id) => `job ${id}`).toSorted();

    const found = await verify(fixture, { graceMs: 0 });
    expect(found.map(({ subject }) => subject).toSorted()).toEqual(names([abandoned, cut, recent, underWay, foreign]));
    expect(found.filter(({ repaired }) => repaired)).toEqual([]);
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual(present);

    const mended = await verify(fixture, { graceMs: 0, repair: true });
    expect(mended.filter(({ repaired }) => repaired).map(({ subject }) => subject)).toEqual(names([abandoned, cut]));
    expect(await namesBelow(fixture.storage, 'jobs')).toEqual(present.filter((id) => id !== abandoned && id !== cut));
    const left = await verify(fixture, { graceMs: 0, repair: true });
    expect(left.map(({ subject }) => subject).toSorted()).toEqual(names([recent, underWay, foreign]));
    const waits = left.filter(({ problem }) =>
      problem.endsWith('no row; --repair leaves them until they are a day old'),
    );
    expect(waits.map(({ subject }) => subject).toSorted()).toEqual(names([recent, underWay]));
  });

  test('passes over a file beside the folders of jobs', async () => {
    await writeFile(join(fixture.folder, 'blobs', 'jobs', 'notes'), '');
    expect(await problems()).toEqual([]);
  });

  test('leaves the spool of a job that is accepted meanwhile', async () => {
    await fixture.jobs.close();
    const meanwhile = standstill();
    const storage = stepping(fixture.storage, ['adopt'], (when) =>
      when === 'after adopt' ? meanwhile.stand() : undefined,
    );
    await fixture.start({ storage });
    const accepted = fixture.accept(10);
    await meanwhile.reached;
    expect(await verify(fixture, { graceMs: 0, repair: true })).toMatchObject([
      { problem: expect.stringMatching(/^has files, but no row; --repair leaves them/) },
    ]);
    meanwhile.release();
    const { id } = await accepted;
    expect(await namesBelow(fixture.storage, `jobs/${id}`)).toContain('spool');
  });
});
