/** Kysely's SQLite dialect over libsql, with commits that are durable without blocking the event loop. */

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
import { sharedSync } from '../shared-sync.js';

/** The longest wait of a statement for another process's write. Waiting blocks the event loop. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Prepared statements that are kept. */
const MOST_STATEMENTS = 200;

const PRAGMAS = [
  `busy_timeout = ${BUSY_TIMEOUT_MS}`,
  'journal_mode = WAL',
  // SQLite itself syncs around checkpoints only, which keeps the file whole; `DurableSqliteDriver` syncs commits.
  'synchronous = NORMAL',
  'foreign_keys = ON',
];

/** A database in a file of its own, which is created where it is missing. */
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

  /** Lets the migrator run in a transaction, whose write lock keeps two starting processes apart; SQLite can roll back its DDL. */
  override createAdapter(): SqliteAdapter {
    return new (class extends SqliteAdapter {
      override get supportsTransactionalDdl(): boolean {
        return true;
      }
    })();
  }
}

/**
 * SQLite's own `synchronous = FULL` syncs the log in every commit, one after the other, while the event loop stands
 * still. Here a commit only writes to the log, the next transaction may begin, and one sync on another thread serves
 * all that committed meanwhile. A query resolves after the sync that covers it, so what was answered survives a power
 * cut all the same; and since the log is sequential, nothing survives without what it was based on.
 */
class DurableSqliteDriver extends SqliteDriver {
  readonly #file: LibsqlFile;
  #isTaken = false;
  /** Who waits for the connection, in the order of arrival. Kysely's own lock wakes all of them for each turn. */
  #waiting: (() => void)[] = [];

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

  override async releaseConnection(): Promise<void> {
    const wrote = this.#file.takeWrote();
    await super.releaseConnection();
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
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
}

class LibsqlFile implements SqliteDatabase {
  /** Shared by all who wait for their commit. */
  readonly sync = sharedSync(() => this.#syncLog());
  readonly #path: string;
  readonly #database: LibsqlDatabase.Database;
  #log: FileHandle | undefined;
  /** By their text, the last used last: to prepare one takes longer than to run it. */
  readonly #statements = new Map<string, SqliteStatement>();
  #wrote = false;

  constructor(path: string) {
    this.#path = path;
    this.#database = new LibsqlDatabase(path);
    for (const pragma of PRAGMAS) {
      this.#database.pragma(pragma);
    }
  }

  prepare(sql: string): SqliteStatement {
    this.#wrote ||= !sql.startsWith('select ');
    // A transaction that begins as a reader cannot wait for its turn to write: SQLite fails it at once when another
    // process wrote meanwhile. Taking the write lock first makes the busy timeout hold for every transaction.
    const text = sql === 'begin' ? 'begin immediate' : sql;
    const statement = this.#statements.get(text) ?? prepared(this.#database.prepare(text));
    // The text of some statements depends on how many rows they are about: only the newest are kept.
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > MOST_STATEMENTS) {
      const [oldest = ''] = this.#statements.keys();
      this.#statements.delete(oldest);
    }
    return statement;
  }

  close(): void {
    this.#database.close();
  }

  /** True where the log may have grown since the last call. */
  takeWrote(): boolean {
    const wrote = this.#wrote;
    this.#wrote = false;
    return wrote;
  }

  async closeLog(): Promise<void> {
    await this.#log?.close();
  }

  async #syncLog(): Promise<void> {
    // The file keeps its identity for as long as the database is open.
    this.#log ??= await open(`${this.#path}-wal`);
    await this.#log.datasync();
  }
}

/** A statement whose rows come as lists and become objects here: the library would ask for a member of each by its name. */
function prepared(statement: LibsqlDatabase.Statement): SqliteStatement {
  // To ask a statement whether it reads takes as long as to read a column.
  const { reader } = statement;
  if (!reader) {
    return statement;
  }
  statement.raw(true);
  const names = statement.columns().map(({ name }) => name);
  const all = (parameters: readonly unknown[]) => (statement.all(parameters) as unknown[][]).map(rowOf(names));
  return {
    reader,
    all,
    iterate: (parameters) => all(parameters).values(),
    run: (parameters) => statement.run(parameters),
  };
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
