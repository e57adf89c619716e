/** Tables and columns of what accounts set on their pages: API keys that expire or only read, and the log of their requests. */

import type { Migration } from 'kysely';
import { column, index, table } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new columns at their defaults. */
export const accountPages: Migration = {
  up: async (database) => {
    await column(database, 'api_keys', 'access', 'varchar(8)', (each) => each.notNull().defaultTo('full'));
    await column(database, 'api_keys', 'expires_at', 'bigint');
    await column(database, 'api_keys', 'last_used_address', 'varchar(64)');
    await table(database, 'key_requests')
      .addColumn('key_id', 'varchar(26)', (each) => each.primaryKey())
      .addColumn('requests', 'text', (each) => each.notNull())
      .addColumn('expires_at', 'bigint', (each) => each.notNull())
      .addForeignKeyConstraint('key_requests_key', ['key_id'], 'api_keys', ['id'])
      .execute();
    await index(database, 'key_requests', 'key_requests_expires_at', ['expires_at']);
  },
};
