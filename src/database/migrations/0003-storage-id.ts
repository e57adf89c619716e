/** Which storage has the files of the database. */

import type { Migration } from 'kysely';
import { table } from './portable-tables.js';

export const storageId: Migration = {
  up: (database) =>
    table(database, 'own_storage')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('storage_id', 'varchar(64)', (column) => column.notNull())
      .execute(),
};
