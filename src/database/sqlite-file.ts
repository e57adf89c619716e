/** An SQLite file, opened by libsql: its settings, its prepared statements, and the values that go in and come out. */

import type { SqliteStatement } from 'kysely';
import LibsqlDatabase from 'libsql';
import { keepLatest } from '../platform/keep-latest.js';

/** Takes the lock of the only writer, or fails at once. */
export const BEGIN_AT_ONCE = 'begin immediate';

/** Size of the cache of prepared statements. */
const MAX_STATEMENTS = 200;

const PRAGMAS = [
  // For the pragmas below.
  'busy_timeout = 5000',
  'journal_mode = WAL',
  // With NORMAL, SQLite syncs only around checkpoints, which keeps the file consistent. `SqliteLog` syncs commits, and makes the
  // checkpoints.
  'synchronous = NORMAL',
  'wal_autocheckpoint = 0',
  'foreign_keys = ON',
  // Waiting blocks the event loop. `SqliteConnection` tries again instead.
  'busy_timeout = 0',
];

/** The substitute for a NUL. The library writes it for an unpaired surrogate, too. */
const NUL = '\uFFFD';

/** True for the text of a statement that changes nothing. */
export function isRead(sql: string): boolean {
  return sql.startsWith('select ');
}

/** True for the text of a statement that changes rows. */
export function changesRows(sql: string): boolean {
  return /^(?:insert|update|delete) /.test(sql);
}

export class LibsqlFile {
  readonly path: string;
  readonly #database: LibsqlDatabase.Database;
  /** By their text, least recently used first. Preparing a statement takes longer than running it. */
  readonly #statements = new Map<string, SqliteStatement>();
  #wrote = false;

  constructor(path: string) {
    this.path = path;
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

  /**
   * Begins a transaction. It takes the write lock first, which it can wait for: SQLite fails a transaction that begins as a reader
   * and then writes, without waiting, when another process wrote in between.
   */
  begin(): void {
    this.#wrote = true;
    // Not a prepared statement. The library does not reset one that finds the lock taken. SQLite counts it as running, and then no
    // read ends the snapshot that it reads from: two such statements keep each other from the lock for good.
    this.#database.exec(BEGIN_AT_ONCE);
  }

  prepare(sql: string): SqliteStatement {
    this.#wrote ||= !isRead(sql);
    const statement = this.#statements.get(sql) ?? prepared(this.#database.prepare(sql), sql);
    // The text of some statements depends on their number of rows, so only the most recent are kept.
    keepLatest(this.#statements, sql, statement, MAX_STATEMENTS);
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
