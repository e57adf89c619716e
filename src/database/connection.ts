/** Opens the database that the settings name: libsql in a file of its own, or a pool of MySQL connections. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CompiledQuery, Kysely, MysqlDialect, type Transaction } from 'kysely';
import type { Pool } from 'mysql2';
import { type DatabaseObserver, observeQuery, POOL_EVENTS } from './observer.js';
import type { Schema } from './schema.js';
import { DurableSqliteDialect } from './sqlite-dialect.js';

/** `sqlite:` and a path, or `mysql://user:password@host:port/database`. */
export type DatabaseUrl = `sqlite:${string}` | `mysql://${string}`;

/** Queries outside a transaction, and the door to transactions; `destroy()` closes it. */
export type Database = Kysely<Schema>;

/** A running transaction, as `transact` hands it out. A `Database` is not one; a transaction can stand in for a `Database`. */
export type DatabaseTransaction = Transaction<Schema>;

export interface DatabaseOptions {
  /** To a MySQL server, at most; 10 when absent. */
  connections?: number | undefined;
  observer?: DatabaseObserver | undefined;
}

/** Opens the database lazily (MySQL) or at once (SQLite, whose file and folder are created). Run `migrate` before use. */
export function openDatabase(url: DatabaseUrl, options: DatabaseOptions = {}): Database {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length), options) : openMysql(url, options);
}

function openSqlite(path: string, { observer }: DatabaseOptions): Database {
  mkdirSync(dirname(path), { recursive: true });
  return new Kysely<Schema>({ dialect: new DurableSqliteDialect(path), ...logTo(observer) });
}

function openMysql(url: string, options: DatabaseOptions): Database {
  return new Kysely<Schema>({
    ...logTo(options.observer),
    dialect: new MysqlDialect({
      pool: () => createPool(url, options),
      onCreateConnection: async (connection) => {
        for (const setting of [
          // Every statement that decides locks the row it decides on; nothing relies on repeating a read. Without gap
          // locks, inserts of different jobs do not wait for each other.
          'transaction isolation level read committed',
          "sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'",
        ]) {
          await connection.executeQuery(CompiledQuery.raw(`set session ${setting}`));
        }
      },
    }),
  });
}

async function createPool(uri: string, { connections = 10, observer }: DatabaseOptions): Promise<Pool> {
  // SQLite can do without it.
  const mysql = await import('mysql2');
  const pool = mysql.createPool({
    uri,
    connectionLimit: connections,
    charset: 'utf8mb4',
    // A server must not be able to ask for this machine's files.
    flags: ['-LOCAL_FILES'],
    // Sums arrive as numbers, as BIGINT columns do: every amount is far below 2^53.
    decimalNumbers: true,
    stringifyObjects: true,
  });
  for (const event of observer ? POOL_EVENTS : []) {
    pool.on(event as 'acquire', () => observer?.pool(event));
  }
  return pool;
}

function logTo(observer: DatabaseObserver | undefined) {
  return observer && { log: observeQuery(observer) };
}
