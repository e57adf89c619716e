/** People, the organisations they belong to, their sessions, one-time links, and what was done. */

import type { Migration } from 'kysely';
import { index, isMysql, table } from './portable-tables.js';

export const peopleAndSessions: Migration = {
  up: async (database) => {
    await table(database, 'people')
      .addColumn('id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('email', 'varchar(254)', (column) => column.notNull())
      .addColumn('name', 'varchar(200)', (column) => column.notNull())
      .addColumn('password_hash', 'varchar(200)', (column) => column.notNull())
      .addColumn('verified_at', 'bigint')
      .addColumn('is_operator', 'smallint', (column) => column.notNull())
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
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('invitations_token_hash', ['token_hash'])
      .addUniqueConstraint('invitations_email', ['organisation_id', 'email'])
      .addForeignKeyConstraint('invitations_organisation', ['organisation_id'], 'organisations', ['id'])
      .execute();

    await table(database, 'one_time_links')
      .addColumn('token_hash', 'char(64)', (column) => column.primaryKey())
      .addColumn('purpose', 'varchar(16)', (column) => column.notNull())
      // Null: for whoever follows it.
      .addColumn('person_id', 'varchar(26)')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .addForeignKeyConstraint('one_time_links_person', ['person_id'], 'people', ['id'])
      .execute();
    await index(database, 'one_time_links', 'one_time_links_expires_at', ['expires_at']);

    await table(database, 'sessions')
      .addColumn('key_hash', 'char(64)', (column) => column.primaryKey())
      .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addForeignKeyConstraint('sessions_person', ['person_id'], 'people', ['id'])
      .execute();
    await index(database, 'sessions', 'sessions_expires_at', ['expires_at']);

    await table(database, 'welcome_grants')
      .addColumn('organisation_id', 'varchar(26)', (column) => column.primaryKey())
      .addColumn('person_id', 'varchar(26)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();

    await table(database, 'audit_entries')
      .addColumn('id', isMysql(database) ? 'bigint' : 'integer', (column) => column.primaryKey().autoIncrement())
      // Neither is a foreign key: the log outlives what it tells of.
      .addColumn('organisation_id', 'varchar(26)')
      .addColumn('person_id', 'varchar(26)')
      .addColumn('action', 'varchar(32)', (column) => column.notNull())
      .addColumn('subject', 'varchar(300)', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await index(database, 'audit_entries', 'audit_entries_organisation_id', ['organisation_id', 'id']);
    await index(database, 'audit_entries', 'audit_entries_person_id', ['person_id', 'id']);
  },
};
