/**
 * The tables of version 0.1.0. MySQL commits each statement by itself, so each can be run again after an interrupted
 * migration.
 */

import { type Migration, sql } from 'kysely';
import { type AnyDatabase, index, isMysql, table } from './portable-tables.js';

export const initialTables: Migration = {
  up: async (database) => {
    await createOrganisations(database);
    await createJobs(database);
    await createPeople(database);
    await createMailsAndLoad(database);
  },
};

/** Organisations, limits of single ones, their API keys and the ledger of their credits. */
async function createOrganisations(database: AnyDatabase): Promise<void> {
  await table(database, 'organisations')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('name', 'varchar(200)', (column) => column.notNull())
    .addColumn('folded_name', 'text', (column) => column.notNull())
    .addColumn('owner_email', 'varchar(320)', (column) => column.notNull())
    .addColumn('balance', 'bigint', (column) => column.notNull())
    .addColumn('low_balance', 'bigint')
    .addColumn('monthly_credits', 'bigint')
    .addColumn('allowance_month', 'varchar(7)', (column) => column.notNull().defaultTo(''))
    .addColumn('suspended_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addCheckConstraint('organisations_balance', sql`balance >= 0`)
    .execute();
  await index(database, 'organisations', 'organisations_allowance_month', ['allowance_month']);
  await index(database, 'organisations', 'organisations_page', ['created_at', 'id']);

  await table(database, 'api_keys')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('name', 'varchar(200)', (column) => column.notNull())
    .addColumn('prefix', 'varchar(16)', (column) => column.notNull())
    .addColumn('hash', 'char(64)', (column) => column.notNull())
    .addColumn('created_by', 'varchar(26)')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('access', 'varchar(8)', (column) => column.notNull().defaultTo('full'))
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_address', 'varchar(64)')
    .addColumn('revoked_at', 'bigint')
    .addUniqueConstraint('api_keys_hash', ['hash'])
    .addForeignKeyConstraint('api_keys_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
  await index(database, 'api_keys', 'api_keys_list', ['organisation_id', 'revoked_at']);

  await table(database, 'key_requests')
    .addColumn('key_id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('requests', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint('key_requests_key', ['key_id'], 'api_keys', ['id'])
    .execute();
  await index(database, 'key_requests', 'key_requests_expires_at', ['expires_at']);

  await table(database, 'styles')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('name', 'varchar(120)', (column) => column.notNull())
    .addColumn('meta', 'text', (column) => column.notNull())
    .addColumn('logo', isMysql(database) ? sql`mediumtext` : 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('styles_name', ['organisation_id', 'name'])
    .addForeignKeyConstraint('styles_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();

  await table(database, 'ledger_entries')
    .addColumn('id', isMysql(database) ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('kind', 'varchar(16)', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('balance_after', 'bigint', (column) => column.notNull())
    // Not a foreign key: entries outlive their job.
    .addColumn('job_id', 'varchar(26)')
    .addColumn('key_id', 'varchar(26)')
    .addColumn('person_id', 'varchar(26)')
    .addColumn('reason', 'varchar(200)', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // At most one charge and one refund a job; grants have no job, and NULLs do not collide.
    .addUniqueConstraint('ledger_entries_job', ['job_id', 'kind'])
    .addForeignKeyConstraint('ledger_entries_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
  await index(database, 'ledger_entries', 'ledger_entries_page', ['organisation_id', 'id']);
  await index(database, 'ledger_entries', 'ledger_entries_kind', ['organisation_id', 'kind', 'id']);
  await index(database, 'ledger_entries', 'ledger_entries_time', ['organisation_id', 'created_at', 'id']);

  await table(database, 'ledger_days')
    .addColumn('id', isMysql(database) ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('jobs', 'integer', (column) => column.notNull())
    .addUniqueConstraint('ledger_days_day', ['organisation_id', 'day', 'user_id'])
    .addForeignKeyConstraint('ledger_days_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
}

/** Jobs, their chunks, the answers that an idempotency key repeats, and the clock by which jobs are deleted. */
async function createJobs(database: AnyDatabase): Promise<void> {
  await table(database, 'jobs')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('token', 'varchar(26)', (column) => column.notNull())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('name', 'varchar(120)')
    .addColumn('folded_name', 'text')
    .addColumn('status', 'varchar(16)', (column) => column.notNull())
    .addColumn('send_email', 'smallint', (column) => column.notNull())
    // Not a foreign key: a person may go before the job ends.
    .addColumn('mail_person_id', 'varchar(26)')
    .addColumn('warnings', 'text')
    .addColumn('verify_items', 'integer', (column) => column.notNull())
    .addColumn('verified', 'integer', (column) => column.notNull())
    .addColumn('unread', 'integer', (column) => column.notNull())
    .addColumn('unread_items', 'text')
    .addColumn('unused_error_correction', 'text')
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('completed', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('credits_charged', 'bigint', (column) => column.notNull())
    .addColumn('credits_refunded', 'bigint', (column) => column.notNull())
    // Its value is kept in the index only.
    .addColumn('credits_used', 'bigint', (column) => column.generatedAlwaysAs(sql`credits_charged - credits_refunded`))
    .addColumn('skipped_rows', 'integer', (column) => column.notNull())
    .addColumn('made_from', 'varchar(26)')
    .addColumn('spool_bytes', 'bigint', (column) => column.notNull())
    .addColumn('header_bytes', 'bigint')
    .addColumn('end_bytes', 'bigint')
    .addColumn('archive_bytes', 'bigint')
    .addColumn('failure', 'varchar(16)')
    .addColumn('finish_attempt', 'integer', (column) => column.notNull())
    .addColumn('finish_worker', 'varchar(100)')
    .addColumn('finish_leased_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('downloaded_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('jobs_token', ['token'])
    .addCheckConstraint('jobs_counters', sql`completed >= 0 and failed >= 0 and completed + failed <= total`)
    .addForeignKeyConstraint('jobs_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
  await index(database, 'jobs', 'jobs_status', ['status', 'created_at', 'id', 'failure']);
  await index(database, 'jobs', 'jobs_expires_at', ['expires_at']);
  await index(database, 'jobs', 'jobs_made_from', ['made_from']);
  await index(database, 'jobs', 'jobs_page', ['organisation_id', 'created_at', 'id']);
  await index(database, 'jobs', 'jobs_page_status', ['organisation_id', 'status', 'created_at', 'id']);
  await index(database, 'jobs', 'jobs_credits', ['organisation_id', 'credits_used', 'created_at']);

  await table(database, 'chunks')
    .addColumn('job_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('status', 'varchar(16)', (column) => column.notNull())
    .addColumn('first_item', 'integer', (column) => column.notNull())
    .addColumn('item_count', 'integer', (column) => column.notNull())
    .addColumn('spool_offset', 'bigint', (column) => column.notNull())
    .addColumn('spool_bytes', 'bigint', (column) => column.notNull())
    .addColumn('segment_bytes', 'bigint', (column) => column.notNull())
    .addColumn('index_bytes', 'bigint', (column) => column.notNull())
    .addColumn('readings_bytes', 'bigint', (column) => column.notNull())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .addColumn('header_bytes', 'bigint', (column) => column.notNull())
    .addColumn('failed_items', 'integer', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('worker', 'varchar(100)')
    .addColumn('leased_until', 'bigint')
    .addPrimaryKeyConstraint('chunks_primary', ['job_id', 'position'])
    .addForeignKeyConstraint('chunks_job', ['job_id'], 'jobs', ['id'], (constraint) => constraint.onDelete('cascade'))
    .execute();

  await table(database, 'small_blobs')
    .addColumn('job_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('name', 'varchar(100)', (column) => column.notNull())
    .addColumn('content', isMysql(database) ? sql`mediumblob` : 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('small_blobs_primary', ['job_id', 'name'])
    .addForeignKeyConstraint('small_blobs_job', ['job_id'], 'jobs', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();

  await table(database, 'webhooks')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('url', 'varchar(2000)', (column) => column.notNull())
    .addColumn('events', 'varchar(200)', (column) => column.notNull())
    .addColumn('secret', 'varchar(100)', (column) => column.notNull())
    .addColumn('previous_secret', 'varchar(100)')
    .addColumn('previous_secret_until', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('paused_until', 'bigint')
    .addColumn('pause_told_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint('webhooks_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
  await index(database, 'webhooks', 'webhooks_organisation_id', ['organisation_id']);

  await table(database, 'webhook_deliveries')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('webhook_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('event', 'varchar(32)', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('delivered_at', 'bigint')
    .addColumn('last_outcome', 'varchar(200)')
    .addColumn('last_answer', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint('webhook_deliveries_webhook', ['webhook_id'], 'webhooks', ['id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute();
  // The first that is due of one webhook, and of all. The second also finds settled ones by age, and counts without reading
  // bodies.
  await index(database, 'webhook_deliveries', 'webhook_deliveries_due', ['webhook_id', 'next_attempt_at']);
  await index(database, 'webhook_deliveries', 'webhook_deliveries_next', [
    'next_attempt_at',
    'created_at',
    'webhook_id',
  ]);
  await index(database, 'webhook_deliveries', 'webhook_deliveries_page', ['webhook_id', 'created_at', 'id']);

  await table(database, 'idempotency_records')
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('key_hash', 'char(64)', (column) => column.notNull())
    // Not a foreign key: a key is claimed before its job exists.
    .addColumn('job_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('worker', 'varchar(100)', (column) => column.notNull())
    .addColumn('fingerprint', 'char(64)')
    .addColumn('receipt', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_records_primary', ['organisation_id', 'key_hash'])
    .execute();
  await index(database, 'idempotency_records', 'idempotency_records_expires_at', ['expires_at']);

  await table(database, 'sweep_clock')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('trusted_at', 'bigint', (column) => column.notNull())
    .addColumn('doubted_at', 'bigint')
    .execute();
}

/** People, their memberships, sessions and links, and the log of their actions. */
async function createPeople(database: AnyDatabase): Promise<void> {
  await table(database, 'people')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('email', 'varchar(254)', (column) => column.notNull())
    .addColumn('name', 'varchar(200)', (column) => column.notNull())
    .addColumn('folded_name', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'varchar(200)')
    .addColumn('totp_secret', 'varchar(64)')
    .addColumn('totp_used_step', 'bigint')
    .addColumn('is_operator', 'smallint', (column) => column.notNull())
    .addColumn('has_welcome', 'smallint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('people_email', ['email'])
    .execute();

  await table(database, 'memberships')
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('role', 'varchar(16)', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_primary', ['organisation_id', 'person_id'])
    .addForeignKeyConstraint('memberships_organisation', ['organisation_id'], 'organisations', ['id'])
    .addForeignKeyConstraint('memberships_person', ['person_id'], 'people', ['id'])
    .execute();
  await index(database, 'memberships', 'memberships_person_id', ['person_id']);

  await table(database, 'invitations')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('organisation_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('email', 'varchar(254)', (column) => column.notNull())
    .addColumn('role', 'varchar(16)', (column) => column.notNull())
    .addColumn('token_hash', 'char(64)', (column) => column.notNull())
    .addColumn('invited_by', 'varchar(26)')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addUniqueConstraint('invitations_token_hash', ['token_hash'])
    .addUniqueConstraint('invitations_email', ['organisation_id', 'email'])
    .addForeignKeyConstraint('invitations_organisation', ['organisation_id'], 'organisations', ['id'])
    .execute();
  await index(database, 'invitations', 'invitations_expires_at', ['expires_at']);

  await table(database, 'one_time_links')
    .addColumn('token_hash', 'char(64)', (column) => column.primaryKey())
    .addColumn('purpose', 'varchar(16)', (column) => column.notNull())
    // Null: for anybody who has the link.
    .addColumn('person_id', 'varchar(26)')
    .addColumn('email', 'varchar(254)')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addForeignKeyConstraint('one_time_links_person', ['person_id'], 'people', ['id'])
    .execute();
  await index(database, 'one_time_links', 'one_time_links_expires_at', ['expires_at']);
  await index(database, 'one_time_links', 'one_time_links_person_id', ['person_id']);
  await index(database, 'one_time_links', 'one_time_links_email', ['email']);

  await table(database, 'sessions')
    .addColumn('key_hash', 'char(64)', (column) => column.primaryKey())
    .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('address', 'varchar(64)', (column) => column.notNull())
    .addColumn('browser', 'varchar(200)', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint('sessions_person', ['person_id'], 'people', ['id'])
    .execute();
  await index(database, 'sessions', 'sessions_expires_at', ['expires_at']);
  await index(database, 'sessions', 'sessions_person_id', ['person_id']);

  await table(database, 'identities')
    .addColumn('issuer', 'varchar(255)', (column) => column.notNull())
    .addColumn('subject', 'varchar(255)', (column) => column.notNull())
    .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('identities_primary', ['issuer', 'subject'])
    .addForeignKeyConstraint('identities_person', ['person_id'], 'people', ['id'])
    .execute();
  await index(database, 'identities', 'identities_person_id', ['person_id']);

  await table(database, 'recovery_codes')
    .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
    .addColumn('code_hash', 'char(64)', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_primary', ['person_id', 'code_hash'])
    .addForeignKeyConstraint('recovery_codes_person', ['person_id'], 'people', ['id'])
    .execute();

  await table(database, 'sent_forms')
    .addColumn('id_hash', 'char(64)', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await index(database, 'sent_forms', 'sent_forms_expires_at', ['expires_at']);

  await table(database, 'kept_pages')
    .addColumn('id_hash', 'char(64)', (column) => column.primaryKey())
    .addColumn('content', isMysql(database) ? sql`mediumblob` : 'blob', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await index(database, 'kept_pages', 'kept_pages_expires_at', ['expires_at']);

  await table(database, 'audit_entries')
    .addColumn('id', isMysql(database) ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
    // Neither is a foreign key: the log outlives what it tells of.
    .addColumn('organisation_id', 'varchar(26)')
    .addColumn('person_id', 'varchar(26)')
    .addColumn('person_name', 'varchar(200)')
    .addColumn('folded_name', 'text', (column) => column.notNull())
    .addColumn('action', 'varchar(32)', (column) => column.notNull())
    .addColumn('subject', 'varchar(300)', (column) => column.notNull())
    .addColumn('folded_subject', 'text', (column) => column.notNull())
    .addColumn('address', 'varchar(64)', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await index(database, 'audit_entries', 'audit_entries_organisation_id', ['organisation_id', 'id']);
  await index(database, 'audit_entries', 'audit_entries_person_id', ['person_id', 'id']);
  await index(database, 'audit_entries', 'audit_entries_action', ['action', 'id']);
}

/** Mails that wait to be delivered, and the load of each hour. */
async function createMailsAndLoad(database: AnyDatabase): Promise<void> {
  await table(database, 'mails')
    .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
    .addColumn('organisation_id', 'varchar(26)')
    .addColumn('recipient', 'varchar(320)', (column) => column.notNull())
    .addColumn('subject', 'varchar(500)', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('last_error', 'varchar(500)')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await index(database, 'mails', 'mails_next_attempt_at', ['next_attempt_at', 'created_at']);
  await index(database, 'mails', 'mails_due', ['organisation_id', 'next_attempt_at']);
  await index(database, 'mails', 'mails_attempts', ['attempts', 'created_at', 'id']);

  await table(database, 'load_hours')
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('process', 'varchar(100)', (column) => column.notNull())
    .addColumn('jobs', 'integer', (column) => column.notNull())
    .addColumn('items', 'bigint', (column) => column.notNull())
    .addColumn('refused', 'integer', (column) => column.notNull())
    .addColumn('least_disk_bytes', 'bigint', (column) => column.notNull())
    .addColumn('most_queued_items', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('load_hours_key', ['hour', 'process'])
    .execute();
}
