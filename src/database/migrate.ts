/** Migrates a database to the tables of this version. Safe to run at every start, and by several processes at once. */

import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, type Migration, Migrator, sql } from 'kysely';
import type { Database } from './connection.js';
import { initialTables } from './migrations/0001-initial-tables.js';
import { outboxPauses } from './migrations/0002-outbox-pauses.js';
import { searchAndSuspension } from './migrations/0003-search-and-suspension.js';
import { keptPages } from './migrations/0004-kept-pages.js';
import { welcomeCredits } from './migrations/0005-welcome-credits.js';
import { accountPages } from './migrations/0006-account-pages.js';
import { noticesToOwners } from './migrations/0007-notices-to-owners.js';
import { webhookAnswers } from './migrations/0008-webhook-answers.js';
import { jobLife } from './migrations/0009-job-life.js';
import { table } from './migrations/portable-tables.js';

/** Forward only, sorted by name. A released migration is never changed. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-initial-tables': initialTables,
  '0002-outbox-pauses': outboxPauses,
  '0003-search-and-suspension': searchAndSuspension,
  '0004-kept-pages': keptPages,
  '0005-welcome-credits': welcomeCredits,
  '0006-account-pages': accountPages,
  '0007-notices-to-owners': noticesToOwners,
  '0008-webhook-answers': webhookAnswers,
  '0009-job-life': jobLife,
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/** The newest migration of this version. */
const LATEST = MIGRATION_NAMES.at(-1) as string;

/** A database's tables compared with those of this version. */
type SchemaState = 'current' | 'outdated' | 'newer';

/**
 * Runs the missing migrations, up to `target` if given. Returns the names of those it ran.
 * @throws Error when a newer version migrated the database, or `target` belongs to a newer version
 */
export async function migrate(database: Database, target = LATEST): Promise<string[]> {
  requireKnown(target);
  const newer = (await doneMigrations(database)).filter((name) => name > target);
  if (newer.length > 0) {
    throw new Error(
      `the database was migrated by a newer version of qrpress (${newer.join(', ')}); use that version, or restore a backup from before into an empty database`,
    );
  }
  await createMigrationTables(database);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results = [] } = await migrator.migrateTo(target);
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error');
    throw new Error(`the database could not be migrated${failed ? `: ${failed.migrationName}` : ''}`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

/** Creates the tables of the query builder in our format: its own statement fails where the server's default format has short keys. */
async function createMigrationTables(database: Database): Promise<void> {
  await table(database, DEFAULT_MIGRATION_TABLE)
    .addColumn('name', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  await table(database, DEFAULT_MIGRATION_LOCK_TABLE)
    .addColumn('id', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('is_locked', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** @throws Error when the migration belongs to a newer version */
export function requireKnown(migration: string): void {
  if (!MIGRATION_NAMES.includes(migration)) {
    throw new Error(`the tables of ${migration} are those of a newer version of qrpress; use that version`);
  }
}

/**
 * Returns the newest migration of a database whose tables match this version. @throws Error that says what to do
 * otherwise
 */
export async function requireCurrent(database: Database): Promise<string> {
  const state = stateAfter(await doneMigrations(database));
  if (state !== 'current') {
    throw new Error(`the database has ${state} tables; use the version of qrpress that runs on it`);
  }
  return LATEST;
}

/** Runs one small query, cheap enough for a probe. @throws Error when the database has no tables at all */
export async function schemaState(database: Database): Promise<SchemaState> {
  return stateAfter(await readMigrations(database));
}

function stateAfter(done: readonly string[]): SchemaState {
  if (done.some((name) => !MIGRATION_NAMES.includes(name))) {
    return 'newer';
  }
  return done.includes(LATEST) ? 'current' : 'outdated';
}

/** Names of the migrations that have run. Empty for an empty database. */
async function doneMigrations(database: Database): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE) ? readMigrations(database) : [];
}

async function readMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}
