/** The databases of the tests: always SQLite, and MySQL or MariaDB if a server answers. Each test has its own database. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createConnection } from 'mysql2/promise';
import { expect } from 'vitest';
import { type Database, type DatabaseUrl, openDatabase } from '../../src/database/connection.js';
import { migrate } from '../../src/database/migrate.js';
import { copyTables, SERVER_URL, takeDatabase } from './database-pool.js';
import { describeUnless } from './describe-unless.js';

/** A database without tables, used by one test. `drop` removes it. Close its connections first. */
export interface EmptyDatabase {
  url: DatabaseUrl;
  drop: () => Promise<void>;
}

export interface DatabaseKind {
  name: string;
  /** Reason why it cannot be used here. */
  absent?: string;
  create: () => Promise<EmptyDatabase>;
  /** Does what `create` does, for a test that is not about migrations: the tables may exist already, without rows. */
  prepare: () => Promise<EmptyDatabase>;
}

async function createSqlite(): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-database-'));
  return { url: `sqlite:${join(folder, 'qrpress.db')}`, drop: () => rm(folder, { recursive: true }) };
}

async function prepareSqlite(): Promise<EmptyDatabase> {
  const empty = await createSqlite();
  const path = empty.url.slice('sqlite:'.length);
  await copyTables(path, async (copy) => {
    const database = openDatabase(`sqlite:${path}.first`);
    await migrate(database);
    // A copy of its file would lack what is in its log.
    await sql`vacuum into ${copy}`.execute(database);
    await database.destroy();
  });
  return empty;
}

export const sqlite: DatabaseKind = { name: 'SQLite', create: createSqlite, prepare: prepareSqlite };

async function createMysql(): Promise<EmptyDatabase> {
  const name = `qrpress_test_${randomBytes(8).toString('hex')}`;
  await onServer(`create database ${name}`);
  return { url: urlOf(name), drop: () => onServer(`drop database ${name}`) };
}

async function prepareMysql(): Promise<EmptyDatabase> {
  const pooled = await takeDatabase(async (name) => {
    const database = openDatabase(urlOf(name));
    await migrate(database).finally(() => database.destroy());
  });
  return pooled === undefined ? createMysql() : { url: urlOf(pooled.name), drop: pooled.giveBack };
}

function urlOf(name: string): DatabaseUrl {
  const url = new URL(SERVER_URL);
  url.pathname = name;
  return url.href as DatabaseUrl;
}

const mysql: DatabaseKind = { name: 'MySQL', create: createMysql, prepare: prepareMysql };

/** Every kind of database. A missing one has the reason. */
export const DATABASES: readonly DatabaseKind[] = [sqlite, await withReasonOfAbsence(mysql)];

/**
 * Suites whose SQL differs between databases, or that hold what a transaction promises. `npm test` runs them on each kind of
 * database, and all others on SQLite; `npm run nightly` runs all of them on each.
 */
const ABOUT_SQL =
  /test\/(?:accounts|credits|database|outbox|cli|jobs(?!\/(?:cancel|work\/(?:life|recovery|engine-))))\/|test\/spec\/(?:create-job|idempotency|list-jobs|small-job|cancel-job|delete-job)\.test/;

/**
 * Runs a suite on SQLite, and on each other kind of database if its SQL may differ there. `create` returns a new database at
 * each call.
 */
export function describeOnDatabases(name: string, suite: (kind: DatabaseKind) => void): void {
  const isOnAll = process.env['QRPRESS_TEST_DATABASES'] === 'all' || ABOUT_SQL.test(expect.getState().testPath ?? '');
  for (const kind of isOnAll ? DATABASES : [sqlite]) {
    describeUnless(kind.absent, `${name} on ${kind.name}`, () => suite(kind));
  }
}

/** A new database with its tables. `close` closes and removes it. */
export async function openTestDatabase(
  kind: DatabaseKind,
): Promise<{ database: Database; url: DatabaseUrl; close: () => Promise<void> }> {
  const { url, drop } = await kind.prepare();
  const database = openDatabase(url);
  await migrate(database);
  const close = async () => {
    await database.destroy();
    await drop();
  };
  return { database, url, close };
}

async function withReasonOfAbsence(kind: DatabaseKind): Promise<DatabaseKind> {
  try {
    await onServer('select 1');
    return kind;
  } catch (error) {
    return { ...kind, absent: `no server answers at ${new URL(SERVER_URL).host} (${(error as Error).message})` };
  }
}

async function onServer(statement: string): Promise<void> {
  const connection = await createConnection({ uri: SERVER_URL, connectTimeout: 2_000 });
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
