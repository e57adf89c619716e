/** Mails that wait to be delivered, written in the transaction of what they tell of. */

import type { Migration } from 'kysely';
import { index, table } from './portable-tables.js';

export const mailOutbox: Migration = {
  up: async (database) => {
    await table(database, 'mails')
      .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('recipient', 'varchar(320)', (column) => column.notNull())
      .addColumn('subject', 'varchar(500)', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('html', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_attempt_at', 'bigint')
      .addColumn('last_error', 'varchar(500)')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await index(database, 'mails', 'mails_next_attempt_at', ['next_attempt_at']);
  },
};
