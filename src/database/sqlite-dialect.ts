/** Kysely's SQLite dialect over libsql. Commits are durable and do not block the event loop. */

import { type FileHandle, open } from 'node:fs/promises';
import {
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import LibsqlDatabase from 'libsql';
import { sharedSync } from '../platform/concurrency.js';

/** Time that a statement waits for another process's write. Waiting blocks the event loop. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Time of one turn of the event loop in which waiters for the connection follow one another. */
const LONG_TURN_MS = 10;

/** Size of the cache of prepared statements. */
const MAX_STATEMENTS = 200;

const PRAGMAS = [
  `busy_timeout = ${BUSY_TIMEOUT_MS}`,
  'journal_mode = WAL',
  // With NORMAL, SQLite syncs only around checkpoints, which keeps the file consistent. `DurableSqliteDriver` syncs
  // commits.
  'synchronous = NORMAL',
  'foreign_keys = ON',
];

/** The substitute for a NUL. The library writes it for an unpaired surrogate, too. */
const NUL = '\uFFFD';

/** A database in one file, which is created if it does not exist. */
export class DurableSqliteDialect extends SqliteDialect {
  readonly #file: LibsqlFile;

  constructor(path: string) {
    const file = new LibsqlFile(path);
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): SqliteDriver {
    return new DurableSqliteDriver(this.#file);
  }

  /**
   * Lets the migrator run in a transaction, whose write lock keeps two starting processes apart. SQLite can roll back
   * its DDL.
   */
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

/**
 * SQLite's own `synchronous = FULL` syncs the log in every commit, one after the other, and blocks the event loop
 * meanwhile. Here a commit only writes to the log, the next transaction may begin, and one sync on another thread
 * covers all commits made meanwhile.
 * A query resolves after the sync that covers it, so an answered write survives a power cut. The log is sequential, so
 * nothing survives without what it was based on.
 */
class DurableSqliteDriver extends SqliteDriver {
  readonly #file: LibsqlFile;
  #isTaken = false;
  /** Waiters for the connection, in the order of arrival. Kysely's own lock wakes all of them for each turn. */
  #waiting: (() => void)[] = [];
  /** When the first waiter of this turn of the event loop was woken. */
  #turnStarted: number | undefined;

  constructor(file: LibsqlFile) {
    super({ database: file });
    this.#file = file;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
    return super.acquireConnection();
  }

  /** Rolls back unless SQLite already has, as it does when its disk is full: a second error would hide the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.isInTransaction) {
      await super.rollbackTransaction(connection);
    }
  }

  override async releaseConnection(): Promise<void> {
    const wrote = this.#file.takeWrote();
    await super.releaseConnection();
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
    } else if (this.#isTurnLong()) {
      setImmediate(next);
    } else {
      next();
    }
    if (wrote) {
      await this.#file.sync();
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.#file.closeLog();
  }

  /**
   * True when waiters have followed one another for a while in one turn of the event loop: statements run on its thread, so
   * a long queue would keep it from everything else.
   */
  #isTurnLong(): boolean {
    const now = performance.now();
    if (this.#turnStarted === undefined) {
      this.#turnStarted = now;
      setImmediate(() => {
        this.#turnStarted = undefined;
      });
    }
    return now - this.#turnStarted > LONG_TURN_MS;
  }
}

class LibsqlFile implements SqliteDatabase {
  /** Shared by all callers that wait for their commit. */
  readonly sync = sharedSync(() => this.#syncLog());
  readonly #path: string;
  readonly #database: LibsqlDatabase.Database;
  #log: FileHandle | undefined;
  /** By their text, least recently used first. Preparing a statement takes longer than running it. */
  readonly #statements = new Map<string, SqliteStatement>();
  #wrote = false;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#database = new LibsqlDatabase(path);
      for (const pragma of PRAGMAS) {
        this.#database.pragma(pragma);
      }
    } catch (cause) {
      throw new Error(`cannot open the database ${path}`, { cause });
    }
  }

  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  prepare(sql: string): SqliteStatement {
    this.#wrote ||= !sql.startsWith('select ');
    // SQLite fails a transaction that begins as a reader and then writes, without waiting, when another process wrote
    // in between. Taking the write lock first makes the busy timeout apply to every transaction.
    const text = sql === 'begin' ? 'begin immediate' : sql;
    const statement = this.#statements.get(text) ?? prepared(this.#database.prepare(text), text);
    // The text of some statements depends on their number of rows, so only the most recent are kept.
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > MAX_STATEMENTS) {
      const [oldest = ''] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    return statement;
  }

  close(): void {
    this.#database.close();
  }

  /** True when the log may have grown since the last call. */
  takeWrote(): boolean {
    const wrote = this.#wrote;
    this.#wrote = false;
    return wrote;
  }

  async closeLog(): Promise<void> {
    await this.#log?.close();
  }

  async #syncLog(): Promise<void> {
    // The log file stays the same while the database is open.
    this.#log ??= await open(`${this.#path}-wal`);
    await this.#log.datasync();
  }
}

/** A statement whose rows arrive as lists and become objects here. The library would look up each member by its name. */
function prepared(statement: LibsqlDatabase.Statement, sql: string): SqliteStatement {
  // To ask a statement whether it reads takes as long as to read a column.
  const { reader } = statement;
  const all = reader ? reading(statement, sql) : () => [];
  return {
    reader,
    all: (parameters) => all(readable(parameters)),
    iterate: (parameters) => all(readable(parameters)).values(),
    run: (parameters) => statement.run(readable(parameters)),
  };
}

function reading(statement: LibsqlDatabase.Statement, sql: string) {
  statement.raw(true);
  const names = statement.columns().map(({ name }) => name);
  // To ask for all rows of a statement that has one takes half as long again.
  const rows = sql.endsWith(' limit 1')
    ? (parameters: readonly unknown[]) => [statement.get(parameters)].filter((row) => row !== undefined)
    : (parameters: readonly unknown[]) => statement.all(parameters);
  return (parameters: readonly unknown[]) => (rows(parameters) as unknown[][]).map(rowOf(names));
}

/** Values without NUL in their texts: the library reads a text up to its first NUL, and the rest would be lost. */
function readable(parameters: readonly unknown[]): readonly unknown[] {
  return parameters.some(hasNul)
    ? parameters.map((value) => (hasNul(value) ? value.replaceAll('\0', NUL) : value))
    : parameters;
}

function hasNul(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\0');
}

function rowOf(names: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  return (values) => {
    const row: Record<string, unknown> = {};
    for (let column = 0; column < names.length; column += 1) {
      row[names[column] as string] = values[column];
    }
    return row;
  };
}
