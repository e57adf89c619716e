/** Migrates a database to the tables of this version. Safe to run at every start, and by several processes at once. */

import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, type Migration, Migrator, sql } from 'kysely';
import type { Database } from './connection.js';
import { initialTables } from './migrations/0001-initial-tables.js';
import { sourcePlaces } from './migrations/0002-source-places.js';
import { storageId } from './migrations/0003-storage-id.js';
import { correctedItem } from './migrations/0004-corrected-item.js';
import { table } from './migrations/portable-tables.js';

/** By name. Forward only, sorted by name. A released migration is never changed. */
type Migrations = Readonly<Record<string, Migration>>;

export const MIGRATIONS: Migrations = {
  '0001-initial-tables': initialTables,
  '0002-source-places': sourcePlaces,
  '0003-storage-id': storageId,
  '0004-corrected-item': correctedItem,
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

const LATEST = newestOf(MIGRATIONS);

/** A database's tables compared with those of this version. */
type SchemaState = 'current' | 'outdated' | 'newer';

function newestOf(migrations: Migrations): string {
  return Object.keys(migrations).at(-1) as string;
}

interface MigrateOptions {
  /** The last one to run. Default: the newest. */
  target?: string;
  /** Default: those of this version. */
  migrations?: Migrations;
}

/** Runs the missing migrations. Returns the names of those it ran. @throws Error when a newer version migrated the database */
export async function migrate(
  database: Database,
  { migrations = MIGRATIONS, target = newestOf(migrations) }: MigrateOptions = {},
): Promise<string[]> {
  const done = await doneMigrations(database);
  const newer = done.filter((name) => name > target);
  if (newer.length > 0) {
    throw new Error(
      `the database was migrated by a newer version of qrpress (${newer.join(', ')}); use that version, or restore a backup from before into an empty database`,
    );
  }
  const wanted = Object.keys(migrations).filter((name) => name <= target);
  if (wanted.join() === done.toSorted().join()) {
    // The usual start. The library would take its lock, and look for its tables three times, only to find nothing to do.
    return [];
  }
  await createMigrationTables(database);
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
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
