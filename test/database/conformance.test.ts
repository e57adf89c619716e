/** Properties of a database that the stores rely on. A new database has to pass this, and the suites that run on all databases. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { type Database, openDatabase } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { isDuplicate, transact } from '../../src/database/transaction.js';
import { type NewJob, NewJobStore } from '../../src/jobs/new-job-store.js';
import { LeaseStore } from '../../src/jobs/lease-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

describeOnDatabases('the database', (kind) => {
  let database: Database;
  /** As another process has it. */
  let other: Database;
  let close: () => Promise<void>;
  let organisationId: string;
  beforeEach(async () => {
    const opened = await openTestDatabase(kind);
    ({ database } = opened);
    other = openDatabase(opened.url);
    close = async () => {
      await other.destroy();
      await opened.close();
    };
    const organisations = new OrganisationStore(database);
    organisationId = await organisations.create({ name: 'A', ownerEmail: 'a@example.org', credits: 1_000 });
  });
  afterEach(() => close());

  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const balance = async () =>
    (await other.selectFrom('organisations').select('balance').executeTakeFirstOrThrow()).balance;

  async function createJob(
    chunks: number,
    { store = new NewJobStore(database), drawn = undefined as NewJob['drawn'] } = {},
  ): Promise<string> {
    const id = newRowId();
    await store.create({
      id,
      token: newRowId(),
      organisationId,
      origin: {},
      sendEmail: false,
      warnings: [],
      total: chunks,
      spoolBytes: chunks,
      chunks: Array.from({ length: chunks }, (_, position) => ({
        firstItem: position,
        itemCount: 1,
        spoolOffset: position,
        spoolBytes: 1,
      })),
      createdAt: Date.now(),
      expiresAt: Date.now() + 1_000_000,
      drawn,
    });
    return id;
  }

  test('jobs that arrive together are rows together, however large their archives', async () => {
    const [store, blob] = [new NewJobStore(database), new Uint8Array(65_536)];
    const size = { segmentBytes: 2 * blob.length, indexBytes: blob.length, entries: 1, headerBytes: 1 };
    const drawn = { ...size, spool: blob, segment: new Uint8Array(2 * blob.length), index: blob, archiveEnd: blob };
    await times(34, () => createJob(1, { store, drawn }));
    const { rows } = await other
      .selectFrom('small_blobs')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    expect(rows).toBe(4 * 34);
  });

  test('an update counts the rows that its guard let through, changed or not', async () => {
    const update = (balanceIs: number) =>
      database
        .updateTable('organisations')
        .set({ balance: 1_000 })
        .where('id', '=', organisationId)
        .where('balance', '=', balanceIs)
        .executeTakeFirst();
    expect((await update(1_000)).numUpdatedRows).toBe(1n);
    expect((await update(999)).numUpdatedRows).toBe(0n);
  });

  test('guarded updates of two processes let through what there is, and no more', async () => {
    const debits = await times(40, (index) =>
      (index % 2 === 0 ? database : other)
        .updateTable('organisations')
        .set((column) => ({ balance: column('balance', '-', 100) }))
        .where('id', '=', organisationId)
        .where('balance', '>=', 100)
        .executeTakeFirst(),
    );
    expect(debits.filter(({ numUpdatedRows }) => numUpdatedRows === 1n)).toHaveLength(10);
    expect(await balance()).toBe(0);
  });

  // SQLite waits for its one writer's turn on the event loop, which both connections of this process share.
  if (kind.name !== 'SQLite') {
    test('transactions of two processes on the same rows all come through', async () => {
      await times(20, (index) =>
        transact(index % 2 === 0 ? database : other, async (transaction) => {
          const { numUpdatedRows } = await transaction
            .updateTable('organisations')
            .set((column) => ({ balance: column('balance', '+', 1) }))
            .where('id', '=', organisationId)
            .executeTakeFirst();
          expect(numUpdatedRows).toBe(1n);
        }),
      );
      expect(await balance()).toBe(1_020);
    });
  }

  test('what a transaction did is seen by others when it is committed, and never when it failed', async () => {
    const work = transact(database, async (transaction) => {
      await transaction.updateTable('organisations').set({ balance: 7 }).execute();
      expect(await balance()).toBe(1_000);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await balance()).toBe(1_000);
    await transact(database, (transaction) => transaction.updateTable('organisations').set({ balance: 7 }).execute());
    expect(await balance()).toBe(7);
  });

  test('a key that is taken is told from other failures', async () => {
    const row = {
      organisation_id: organisationId,
      key_hash: 'a',
      job_id: 'b',
      worker: 'c',
      fingerprint: null,
      expires_at: 1,
    };
    const insert = (into: Database) => into.insertInto('idempotency_records').values(row).execute();
    const inserts = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => insert(index % 2 ? other : database)),
    );
    const failures = inserts.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(failures).toHaveLength(5);
    expect(failures.every(isDuplicate)).toBe(true);
    expect(isDuplicate(new Error('other'))).toBe(false);
  });

  test('a chunk is claimed by one of many, and by the next when the lease has run out', async () => {
    const id = await createJob(2);
    const stores = [database, other, database, other].map((each, index) => new LeaseStore(each, `worker ${index}`));
    const until = Date.now() + 60_000;
    const claims = await Promise.all(stores.map((store) => store.claimChunk(id, 1, until)));
    expect(claims.filter((claim) => claim !== undefined && 'attempt' in claim)).toMatchObject([{ attempt: 1 }]);
    expect(claims.filter((claim) => claim !== undefined && 'busyUntil' in claim)).toHaveLength(3);
    await database.updateTable('chunks').set({ leased_until: 1 }).execute();
    const again = await Promise.all(stores.map((store) => store.claimChunk(id, 1, until)));
    expect(again.filter((claim) => claim !== undefined && 'attempt' in claim)).toMatchObject([{ attempt: 2 }]);
  });

  test('a lease is renewed by who holds it, many at once, and by no other', async () => {
    const id = await createJob(120);
    const [mine, theirs] = [new LeaseStore(database, 'mine'), new LeaseStore(other, 'theirs')];
    const soon = Date.now() + 60_000;
    for (let chunk = 0; chunk < 120; chunk += 1) {
      await (chunk === 5 ? theirs : mine).claimChunk(id, chunk, soon);
    }
    await mine.renew(
      Array.from({ length: 120 }, (_, chunk) => ({ jobId: id, chunk, attempt: 1 })),
      soon + 1,
    );
    const rows = await other.selectFrom('chunks').select('leased_until').orderBy('position').execute();
    expect(rows.map(({ leased_until: end }) => end)).toEqual(rows.map((_, chunk) => (chunk === 5 ? soon : soon + 1)));
    await mine.releaseAll();
    expect(await theirs.freeChunks([id])).toHaveLength(119);
  });

  test('rows go with the row that they belong to', async () => {
    const id = await createJob(3);
    await database.deleteFrom('jobs').where('id', '=', id).execute();
    expect(await other.selectFrom('chunks').selectAll().execute()).toEqual([]);
  });
});
