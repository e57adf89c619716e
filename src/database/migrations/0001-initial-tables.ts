/** Organisations, their keys and credits, jobs and their chunks. */

import { type Migration, sql } from 'kysely';
import { index, isMysql, table } from './portable-tables.js';

/** MySQL commits each statement of its own, so every one can be run again after a cut. */
export const initialTables: Migration = {
  up: async (database) => {
    await table(database, 'organisations')
      .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('name', 'varchar(200)', (column) => column.notNull())
      .addColumn('owner_email', 'varchar(320)', (column) => column.notNull())
      .addColumn('balance', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addCheckConstraint('organisations_balance', sql`balance >= 0`)
      .execute();

    await table(database, 'api_keys')
      .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('name', 'varchar(200)', (column) => column.notNull())
      .addColumn('prefix', 'varchar(16)', (column) => column.notNull())
      .addColumn('hash', 'char(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .addUniqueConstraint('api_keys_hash', ['hash'])
      .addForeignKeyConstraint('api_keys_organisation', ['organisation_id'], 'organisations', ['id'])
      .execute();

    await table(database, 'ledger_entries')
      .addColumn('id', isMysql(database) ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('balance_after', 'bigint', (column) => column.notNull())
      // Not a foreign key: entries outlive their job.
      .addColumn('job_id', 'varchar(26)')
      .addColumn('reason', 'varchar(200)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      // At most one charge and one refund a job; grants have no job, and NULLs do not collide.
      .addUniqueConstraint('ledger_entries_job', ['job_id', 'kind'])
      .addForeignKeyConstraint('ledger_entries_organisation', ['organisation_id'], 'organisations', ['id'])
      .execute();

    await table(database, 'jobs')
      .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('token', 'varchar(26)', (column) => column.notNull())
      .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('status', 'varchar(16)', (column) => column.notNull())
      .addColumn('send_email', 'smallint', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('completed', 'integer', (column) => column.notNull())
      .addColumn('failed', 'integer', (column) => column.notNull())
      .addColumn('credits_charged', 'bigint', (column) => column.notNull())
      .addColumn('credits_refunded', 'bigint', (column) => column.notNull())
      .addColumn('spool_bytes', 'bigint', (column) => column.notNull())
      .addColumn('tail_bytes', 'bigint')
      .addColumn('archive_bytes', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('jobs_token', ['token'])
      .addCheckConstraint('jobs_counters', sql`completed >= 0 and failed >= 0 and completed + failed <= total`)
      .addForeignKeyConstraint('jobs_organisation', ['organisation_id'], 'organisations', ['id'])
      .execute();
    await index(database, 'jobs', 'jobs_status', ['status']);
    await index(database, 'jobs', 'jobs_expires_at', ['expires_at']);

    await table(database, 'chunks')
      .addColumn('job_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('status', 'varchar(16)', (column) => column.notNull())
      .addColumn('first_item', 'integer', (column) => column.notNull())
      .addColumn('item_count', 'integer', (column) => column.notNull())
      .addColumn('spool_offset', 'bigint', (column) => column.notNull())
      .addColumn('spool_bytes', 'bigint', (column) => column.notNull())
      .addColumn('segment_bytes', 'bigint', (column) => column.notNull())
      .addColumn('failed_items', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('chunks_primary', ['job_id', 'position'])
      .addForeignKeyConstraint('chunks_job', ['job_id'], 'jobs', ['id'], (constraint) => constraint.onDelete('cascade'))
      .execute();
  },
};
