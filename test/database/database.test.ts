/** Migrations, transactions and sessions, the same on every database. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Migration, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.js';
import { MIGRATION_NAMES, MIGRATIONS, migrate, requireCurrent, schemaState } from '../../src/database/migrate.js';
import { column, index } from '../../src/database/migrations/portable-tables.js';
import { isRowId, newRowId } from '../../src/database/row-id.js';
import { assertTransaction, transact } from '../../src/database/transaction.js';
import { describeOnDatabases, type EmptyDatabase, openTestDatabase } from '../support/databases.js';

const run = promisify(execFile);

const organisation = (id: string) => ({
  id,
  name: id,
  folded_name: id,
  owner_email: 'o@example.com',
  balance: 0,
  created_at: 0,
});

describeOnDatabases('a database', (kind) => {
  let empty: EmptyDatabase;
  beforeEach(async () => {
    empty = await kind.create();
  });
  afterEach(() => empty.drop());

  test('is migrated once, however many processes start at once', async () => {
    const starts = await Promise.all(Array.from({ length: 4 }, () => migrateInProcess(empty.url)));
    expect(starts.flat()).toEqual(MIGRATION_NAMES);
    expect(await migrateInProcess(empty.url)).toEqual([]);
  });

  test('a migration that was cut off is run to its end', async () => {
    const database = openDatabase(empty.url);
    if (kind.name === 'SQLite') {
      // A clash near the end of the migration: everything before it is rolled back.
      await sql`create table chunks (id integer)`.execute(database);
      await sql`create index jobs_status on chunks (id)`.execute(database);
      await expect(migrate(database)).rejects.toThrow('0001-initial-tables');
      await expect(database.selectFrom('organisations').selectAll().execute()).rejects.toThrow('no such table');
      await sql`drop table chunks`.execute(database);
    } else {
      // A crash in the middle leaves this where each statement is a transaction of its own.
      await migrate(database);
      await sql`drop table chunks`.execute(database);
      await sql`drop index idempotency_records_expires_at on idempotency_records`.execute(database);
      await sql`drop index jobs_expires_at on jobs`.execute(database);
      await sql`delete from kysely_migration`.execute(database);
    }
    expect(await migrate(database)).toEqual(MIGRATION_NAMES);
    expect(await database.selectFrom('chunks').selectAll().execute()).toEqual([]);
    await database.destroy();
  });

  test('of an earlier version keeps its rows, also where its migration was cut off', async () => {
    const database = openDatabase(empty.url);
    let isCutOff = true;
    const colours: Migration = {
      up: async (tables) => {
        await column(tables, 'organisations', 'colour', 'varchar(7)', (built) => built.notNull().defaultTo('#000000'));
        await index(tables, 'organisations', 'organisations_colour', ['colour']);
        if (isCutOff) {
          throw new Error('cut off');
        }
      },
    };
    const migrations = { ...MIGRATIONS, '9998-colours': colours };
    const latest = MIGRATION_NAMES.at(-1) as string;
    expect(await migrate(database, { migrations, target: latest })).toEqual(MIGRATION_NAMES);
    await database.insertInto('organisations').values(organisation('a')).execute();
    await expect(migrate(database, { migrations })).rejects.toThrow('could not be migrated: 9998-colours');
    expect(await schemaState(database)).toBe('current');
    isCutOff = false;
    expect(await migrate(database, { migrations })).toEqual(['9998-colours']);
    expect(await migrate(database, { migrations })).toEqual([]);
    const rows = await database.selectFrom('organisations').selectAll().execute();
    expect(rows).toMatchObject([{ id: 'a', colour: '#000000' }]);
    await expect(migrate(database)).rejects.toThrow('migrated by a newer version of qrpress (9998-colours)');
    await database.destroy();
  });

  test('of a newer version is refused, and left as it is', async () => {
    const database = openDatabase(empty.url);
    await migrate(database);
    expect(await schemaState(database)).toBe('current');
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database);
    await expect(migrate(database)).rejects.toThrow('migrated by a newer version of qrpress (9999-later)');
    await expect(requireCurrent(database)).rejects.toThrow('newer tables');
    expect(await schemaState(database)).toBe('newer');
    await database.destroy();
  });

  test('whose newest tables are missing is told from a current one', async () => {
    const database = openDatabase(empty.url);
    await expect(requireCurrent(database)).rejects.toThrow('outdated tables');
    await migrate(database);
    await sql`delete from kysely_migration where name = ${MIGRATION_NAMES.at(-1)}`.execute(database);
    await expect(requireCurrent(database)).rejects.toThrow('outdated tables');
    expect(await schemaState(database)).toBe('outdated');
    await database.destroy();
  });
});

describeOnDatabases('a transaction', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeEach(async () => {
    opened = await openTestDatabase(kind);
  });
  afterEach(() => opened.close());

  test('leaves nothing when it throws', async () => {
    const work = transact(opened.database, async (transaction) => {
      await transaction.insertInto('organisations').values(organisation('a')).execute();
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await opened.database.selectFrom('organisations').selectAll().execute()).toEqual([]);
  });

  // SQLite has one writer at a time, so there nobody can be met.
  if (kind.name !== 'SQLite') {
    test('that deadlocks with another is run again', async () => {
      await opened.database
        .insertInto('organisations')
        .values([organisation('a'), organisation('b')])
        .execute();
      const bothHoldOne = meetingOfTwo();
      let attempts = 0;
      const raise = (first: string, second: string) =>
        transact(opened.database, async (transaction) => {
          attempts += 1;
          for (const id of [first, second]) {
            await transaction
              .updateTable('organisations')
              .set((row) => ({ balance: row('balance', '+', 1) }))
              .where('id', '=', id)
              .execute();
            await bothHoldOne();
          }
        });
      await Promise.all([raise('a', 'b'), raise('b', 'a')]);
      const balances = await opened.database.selectFrom('organisations').select('balance').execute();
      expect(balances).toEqual([{ balance: 2 }, { balance: 2 }]);
      expect(attempts).toBe(3);
    });
  }

  test('is told from a plain connection', async () => {
    expect(() => assertTransaction(opened.database)).toThrow('inside a transaction');
    await transact(opened.database, async (transaction) => assertTransaction(transaction));
  });

  test('numbers come back as numbers, text as it was', async () => {
    const name = 'Ünïcödé 🦓 ‮';
    const row = { ...organisation('a'), name, balance: 9_007_199_254_740_991, created_at: 1_800_000_000_000 };
    await opened.database.insertInto('organisations').values(row).execute();
    expect(await opened.database.selectFrom('organisations').selectAll().execute()).toMatchObject([row]);
    const sums = opened.database.selectFrom('organisations').select(({ fn }) => fn.sum('created_at').as('sum'));
    expect(await sums.execute()).toEqual([{ sum: 1_800_000_000_000 }]);
  });

  test('a text with a NUL comes back to its end, and is found by it', async () => {
    const name = 'before\0after';
    await opened.database
      .insertInto('organisations')
      .values({ ...organisation('a'), name })
      .execute();
    const rows = await opened.database.selectFrom('organisations').select('name').where('name', '=', name).execute();
    expect(rows).toEqual([{ name: kind.name === 'SQLite' ? 'before\uFFFDafter' : name }]);
  });

  test('a balance below 0 and text beyond its column are refused by the database itself', async () => {
    const insert = (row: object) =>
      opened.database
        .insertInto('organisations')
        .values({ ...organisation('a'), ...row })
        .execute();
    await expect(insert({ balance: -1 })).rejects.toThrow();
    if (kind.name !== 'SQLite') {
      await expect(insert({ name: 'x'.repeat(201) })).rejects.toThrow('name');
    }
  });
});

test('row ids are distinct and recognised', () => {
  const ids = Array.from({ length: 1_000 }, newRowId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every(isRowId)).toBe(true);
  expect(
    ['', '../../etc/passwd', `${ids[0]}0`, ids[0]!.toUpperCase().replace(/\d/g, 'A'), `${ids[0]!.slice(1)}u`].some(
      isRowId,
    ),
  ).toBe(false);
});

/** Migrates in a process of its own, and returns the names of what that process ran. Needs the compiled host. */
async function migrateInProcess(url: string): Promise<string[]> {
  const program = `
    import { openDatabase } from './dist/database/connection.js';
    import { MIGRATION_NAMES, migrate } from './dist/database/migrate.js';
    const database = openDatabase(process.argv[1]);
    console.log(JSON.stringify(await migrate(database)));
    await database.destroy();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program, url]);
  return JSON.parse(stdout) as string[];
}

/** Resolves the first two calls together, and later ones at once. */
function meetingOfTwo(): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => undefined;
  const met = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived === 2) {
      open();
    }
    return met;
  };
}

test('a file that is no SQLite database is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-database-'));
  const path = join(folder, 'notes.txt');
  await writeFile(path, 'x'.repeat(10_000));
  for (const wrong of [path, folder] as const) {
    expect(() => openDatabase(`sqlite:${wrong}`)).toThrow(`cannot open the database ${wrong}`);
  }
  await rm(folder, { recursive: true });
});
