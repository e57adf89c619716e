/** Forms that were sent, so that one that is sent twice is done once. */

import type { Migration } from 'kysely';
import { index, table } from './portable-tables.js';

export const sentForms: Migration = {
  up: async (database) => {
    await table(database, 'sent_forms')
      .addColumn('id_hash', 'char(64)', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await index(database, 'sent_forms', 'sent_forms_expires_at', ['expires_at']);
  },
};
