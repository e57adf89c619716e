/** Idempotency keys: who holds one, and what was answered under it. */

import type { Migration } from 'kysely';
import { index, table } from './portable-tables.js';

export const idempotencyRecords: Migration = {
  up: async (database) => {
    await table(database, 'idempotency_records')
      .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('key_hash', 'char(64)', (column) => column.notNull())
      // Not a foreign key: a key is claimed before its job exists.
      .addColumn('job_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('fingerprint', 'char(64)')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_records_primary', ['organisation_id', 'key_hash'])
      .execute();
    await index(database, 'idempotency_records', 'idempotency_records_expires_at', ['expires_at']);
  },
};
