/** Limits of organisations that have their own. */

import type { Migration } from 'kysely';
import { table } from './portable-tables.js';

export const organisationLimits: Migration = {
  up: async (database) => {
    await table(database, 'organisation_limits')
      .addColumn('organisation_id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('creates_per_minute', 'bigint')
      .addColumn('reads_per_minute', 'bigint')
      .addColumn('at_once', 'bigint')
      .addForeignKeyConstraint('organisation_limits_organisation', ['organisation_id'], 'organisations', ['id'])
      .execute();
  },
};
