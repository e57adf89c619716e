/** Pages that answered a form, kept for a few minutes so that a reload shows them again. */

import { type Migration, sql } from 'kysely';
import { index, isMysql, table } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it does not know the table. */
export const keptPages: Migration = {
  up: async (database) => {
    await table(database, 'kept_pages')
      .addColumn('id_hash', 'char(64)', (column) => column.primaryKey())
      .addColumn('content', isMysql(database) ? sql`mediumblob` : 'blob', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await index(database, 'kept_pages', 'kept_pages_expires_at', ['expires_at']);
  },
};
