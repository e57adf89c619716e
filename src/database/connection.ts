/**
 * Opens the configured database, an SQLite file (libsql) or a pool of MySQL connections, and checks that it would accept a
 * write.
 */

import { mkdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { CompiledQuery, type Driver, Kysely, type LogEvent, MysqlDialect, type MysqlDialectConfig, sql } from 'kysely';
import type { Pool, PoolConnection } from 'mysql2';
import type { Database } from './database.js';
import { isMysql } from './migrations/portable-tables.js';
import type { Schema } from './schema.js';
import { serverOptions } from './server-url.js';
import { DurableSqliteDialect } from './sqlite-dialect.js';
import { BEGIN_AT_ONCE } from './sqlite-file.js';
import { isBusy, type OnFailedSync } from './sqlite-log.js';
import { isCompiledOnce } from './statement.js';

export type { Database, DatabaseTransaction } from './database.js';

/** Time that a statement waits for a row, or for a table that is being changed: a person may hold either for minutes. */
const LOCK_WAIT_SECONDS = 3;

/**
 * Session settings of a MySQL server that the service relies on, whatever its configuration says. Every statement that decides
 * something locks the row it decides on, so nothing relies on repeatable reads. Without gap locks, inserts of different jobs do
 * not wait for each other.
 */
const SESSION = [
  'transaction isolation level read committed',
  "sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,NO_ENGINE_SUBSTITUTION'",
  'autocommit = 1',
  'foreign_key_checks = 1',
  'sql_safe_updates = 0',
  `innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
];

/** Least `max_allowed_packet` of a MySQL server, in bytes: no statement of the service is longer. */
const LEAST_PACKET_BYTES = 1024 * 1024;

/** Statements that a connection keeps prepared. A server takes 16,382 by default, and 151 connections. */
const MAX_PREPARED = 100;

/** `sqlite:` and a path, or `mysql://user:password@host:port/database` with parameters of `serverOptions`. */
export type DatabaseUrl = `sqlite:${string}` | `mysql://${string}`;

/** A file beside an SQLite database, which processes lock. Undefined for a database of a server. */
export function lockPathOf(url: DatabaseUrl): string | undefined {
  return url.startsWith('sqlite:') ? `${url.slice('sqlite:'.length)}.lock` : undefined;
}

type QueryKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

/** Metrics of queries and of the pool. */
export interface DatabaseObserver {
  query: (kind: QueryKind, seconds: number, failed: boolean) => void;
  /** Called when a query found no connection, so that it did not begin. */
  connectFailed: () => void;
  /** Called when the number of open connections, or of those in use, may have changed. */
  connections: (open: number, inUse: number) => void;
  /** Called when a query waits because every connection is in use. */
  wait: () => void;
}

interface DatabaseOptions {
  /** Maximum number of connections to a MySQL server. Default: 10. */
  connections?: number | undefined;
  /**
   * Time after which a MySQL server that sends nothing counts as lost. Undefined: a statement may take any time, as may its wait
   * for a table that another statement changes.
   */
  silenceMs?: number | undefined;
  observer?: DatabaseObserver | undefined;
  /** Called when a sync of SQLite's log failed, and when everything is durable again. */
  onFailedSync?: OnFailedSync | undefined;
}

/**
 * Opens SQLite at once, creating its file and folder; connects to MySQL on the first query. Run `migrate` before use.
 */
export function openDatabase(url: DatabaseUrl, options: DatabaseOptions = {}): Database {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length), options) : openMysql(url, options);
}

function openSqlite(path: string, { observer, onFailedSync }: DatabaseOptions): Database {
  mkdirSync(dirname(path), { recursive: true });
  return new Kysely<Schema>({ dialect: new DurableSqliteDialect(path, onFailedSync), ...logTo(observer) });
}

function openMysql(url: string, options: DatabaseOptions): Database {
  return new Kysely<Schema>({
    ...logTo(options.observer),
    dialect: new CountedDialect(options.observer, {
      pool: () => createPool(url, options),
      onCreateConnection: async (connection) => {
        const waits = options.silenceMs === undefined ? [] : [`lock_wait_timeout = ${LOCK_WAIT_SECONDS}`];
        for (const setting of [...SESSION, ...waits]) {
          await connection.executeQuery(CompiledQuery.raw(`set session ${setting}`));
        }
      },
    }),
  });
}

/**
 * Reports failed connections to the observer, since the query builder logs only what it sends, and marks their errors as mysql2
 * marks those that end a connection: a server names more reasons for a refusal than its client knows.
 */
class CountedDialect extends MysqlDialect {
  readonly #observer: DatabaseObserver | undefined;

  constructor(observer: DatabaseObserver | undefined, config: MysqlDialectConfig) {
    super(config);
    this.#observer = observer;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async () => {
      try {
        return await acquire();
      } catch (error) {
        this.#observer?.connectFailed();
        throw Object.assign(error as Error, { fatal: true });
      }
    };
    return driver;
  }
}

async function createPool(url: string, { connections = 10, silenceMs, observer }: DatabaseOptions): Promise<Pool> {
  // Loaded on demand: SQLite does not need it.
  const mysql = await import('mysql2');
  const pool = mysql.createPool({
    ...serverOptions(url),
    connectionLimit: connections,
    charset: 'utf8mb4',
    // A server must not be able to request files of this machine.
    flags: ['-LOCAL_FILES'],
    // Sums arrive as numbers, like BIGINT columns: every amount is far below 2^53.
    decimalNumbers: true,
    stringifyObjects: true,
    maxPreparedStatements: MAX_PREPARED,
  });
  pool.on('connection', prepareCompiled);
  if (silenceMs !== undefined) {
    pool.on('connection', (connection) => closeSilent(socketOf(connection), silenceMs));
  }
  if (observer !== undefined) {
    countConnections(pool, observer);
  }
  return pool;
}

/** Prepares what is compiled once: its values travel as they are, blobs without the hexadecimal digits of a statement's text. */
function prepareCompiled(connection: PoolConnection): void {
  const query = connection.query.bind<typeof connection.query>(connection);
  const run = (text: string, values: (string | number | null)[], done: () => void) =>
    isCompiledOnce(text) ? connection.execute(text, values, done) : query(text, values, done);
  Object.assign(connection, { query: run });
}

function socketOf(connection: PoolConnection): Socket {
  return (connection as unknown as { stream: Socket }).stream;
}

/** Reports the connections of the pool, which emits no event for one that closes. */
function countConnections(pool: Pool, { connections, wait }: DatabaseObserver): void {
  const open = new Set<PoolConnection>();
  const inUse = new Set<PoolConnection>();
  const report = () => connections(open.size, inUse.size);
  pool.on('connection', (connection) => {
    open.add(connection);
    socketOf(connection).once('close', () => {
      open.delete(connection);
      inUse.delete(connection);
      report();
    });
  });
  pool.on('acquire', (connection) => {
    inUse.add(connection);
    report();
  });
  pool.on('release', (connection) => {
    inUse.delete(connection);
    report();
  });
  pool.on('enqueue', wait);
}

/**
 * Closes a connection that carries nothing for `silenceMs`. A server whose host is lost, or that stands still, breaks no connection,
 * and the system gives one up after a quarter of an hour. An idle connection is closed as well; the pool opens another.
 */
function closeSilent(socket: Socket, silenceMs: number): void {
  socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error('the database server keeps silent'), { code: 'ETIMEDOUT' }));
  });
}

const KINDS: Readonly<Record<string, QueryKind>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

/** Reports every query to the observer. */
function logTo(observer: DatabaseObserver | undefined) {
  return (
    observer && {
      log: ({ level, queryDurationMillis, query }: LogEvent) =>
        observer.query(KINDS[query.query.kind] ?? 'other', queryDurationMillis / 1_000, level === 'error'),
    }
  );
}

/**
 * Rejects with the reason when the database would not accept a write, or what it accepted is not durable. A write lock held by
 * another process is no reason. Changes nothing.
 */
export async function probeWrite(database: Database): Promise<void> {
  if (isMysql(database)) {
    await database.updateTable('organisations').set({ balance: 0 }).where('id', '=', '').execute();
    return;
  }
  // As for every write, the connection is released after a sync of the log.
  await database.connection().execute(async (connection) => {
    try {
      await sql.raw(BEGIN_AT_ONCE).execute(connection);
      await sql.raw('rollback').execute(connection);
    } catch (error) {
      if (!isBusy(error)) {
        throw error;
      }
    }
  });
}

/** Rejects with what to change where a MySQL server takes only shorter statements than the service sends. */
export async function requirePacketSize(database: Database): Promise<void> {
  if (isMysql(database)) {
    const { rows } = await sql<{ bytes: number }>`select @@max_allowed_packet as bytes`.execute(database);
    const bytes = rows[0]?.bytes ?? 0;
    if (bytes < LEAST_PACKET_BYTES) {
      throw new Error(`max_allowed_packet of the database server is ${bytes}, set it to ${LEAST_PACKET_BYTES} or more`);
    }
  }
}
