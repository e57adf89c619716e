/** Statements that are compiled once: each run has its own values, whatever the one before it had. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/database/connection.js';
import { newRowId } from '../../src/database/row-id.js';
import { insertion, statement } from '../../src/database/statement.js';
import { transact } from '../../src/database/transaction.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const insertOrganisations = insertion('organisations');

const nameAll = statement((database, { ids, name, least }: { ids: readonly string[]; name: string; least: number }) =>
  database.updateTable('organisations').set({ name }).where('balance', '>=', least).where('id', 'in', ids),
);

const selectNames = statement((database, { ids }: { ids: readonly string[] }) =>
  database.selectFrom('organisations').select(['id', 'name']).where('id', 'in', ids).orderBy('balance'),
);

describeOnDatabases('a statement that is compiled once', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
  });
  afterEach(() => close());

  function organisation(balance: number) {
    const id = newRowId();
    const name = `of ${balance}`;
    return { id, name, folded_name: name, owner_email: 'o@example.com', balance, low_balance: null, created_at: 1 };
  }

  test('inserts each number of rows, in members of any order', async () => {
    const first = [organisation(1), organisation(2)];
    const others = [organisation(3), organisation(4)].map((row) =>
      Object.fromEntries(Object.entries(row).toReversed()),
    ) as typeof first;
    await insertOrganisations(database, []);
    await insertOrganisations(database, first);
    await insertOrganisations(database, others);
    await transact(database, (transaction) => insertOrganisations(transaction, [organisation(5)]));
    const rows = await database.selectFrom('organisations').select(['name', 'balance']).orderBy('balance').execute();
    expect(rows).toEqual([1, 2, 3, 4, 5].map((balance) => ({ name: `of ${balance}`, balance })));
  });

  test('compares and writes its values, and counts the rows', async () => {
    const rows = Array.from({ length: 1_500 }, (_, balance) => organisation(balance));
    await insertOrganisations(database, rows);
    const ids = rows.slice(0, 3).map(({ id }) => id);
    expect(await nameAll(database, { ids, name: 'new', least: 1 })).toEqual({ rows: [], affected: 2 });
    expect(await nameAll(database, { ids: ids.slice(1, 2), name: 'newer', least: 2 })).toEqual({
      rows: [],
      affected: 0,
    });
    await transact(database, (transaction) => nameAll(transaction, { ids, name: 'newest', least: 2 }));
    const names = (await selectNames(database, { ids })).rows.map(({ name }) => name);
    expect(names).toEqual(['of 0', 'new', 'newest']);
  });
});
