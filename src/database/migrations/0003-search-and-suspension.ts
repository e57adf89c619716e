/** Names as they are searched, suspended organisations, and the load of each hour. */

import { type Migration, sql } from 'kysely';
import { folded } from '../folded.js';
import { pagesOf } from '../keyset.js';
import { type AnyDatabase, column, table } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new columns empty. */
export const searchAndSuspension: Migration = {
  up: async (database) => {
    for (const each of ['organisations', 'people', 'jobs']) {
      await column(database, each, 'folded_name', 'text');
      await foldNames(database, each);
    }
    await column(database, 'organisations', 'suspended_at', 'bigint');
    await table(database, 'load_hours')
      .addColumn('hour', 'bigint', (each) => each.notNull())
      .addColumn('process', 'varchar(100)', (each) => each.notNull())
      .addColumn('jobs', 'integer', (each) => each.notNull())
      .addColumn('items', 'bigint', (each) => each.notNull())
      .addColumn('refused', 'integer', (each) => each.notNull())
      .addColumn('least_disk_bytes', 'bigint', (each) => each.notNull())
      .addColumn('most_queued_items', 'bigint', (each) => each.notNull())
      .addPrimaryKeyConstraint('load_hours_key', ['hour', 'process'])
      .execute();
  },
};

/** Fills in the column a page of rows at a time. If it is interrupted, it goes on with the rows that are left. */
async function foldNames(database: AnyDatabase, name: string): Promise<void> {
  const pages = pagesOf((limit, last: { id: string; name: string } | undefined) =>
    database
      .selectFrom(name)
      .select(['id', 'name'])
      .where('name', 'is not', null)
      .where('folded_name', 'is', null)
      .where('id', '>', last?.id ?? '')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const rows of pages) {
    if (rows.length > 0) {
      const cases = rows.map((row) => sql`when ${row.id} then ${folded(row.name)}`);
      const ids = rows.map((row) => row.id);
      await sql`update ${sql.table(name)} set folded_name = case id ${sql.join(cases, sql` `)} end
        where id in (${sql.join(ids)})`.execute(database);
    }
  }
}
