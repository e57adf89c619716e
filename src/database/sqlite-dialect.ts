/** Kysely's SQLite dialect over libsql. Commits are durable, and neither they nor locks of other processes block the event loop. */

import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { BEGIN_AT_ONCE, changesRows, isRead, LibsqlFile } from './sqlite-file.js';
import { isBusy, type OnFailedSync, SqliteLog } from './sqlite-log.js';

/** Time that a statement waits for a lock of another process, and that of one turn of the wait. */
const BUSY_MS = { longest: 5_000, turn: 20 };

/** Time of one turn of the event loop in which waiters for the connection follow one another. */
const LONG_TURN_MS = 10;

/** A database in one file, which is created if it does not exist. */
export class DurableSqliteDialect implements Dialect {
  readonly #file: LibsqlFile;
  readonly #onFailedSync: OnFailedSync | undefined;

  constructor(path: string, onFailedSync?: OnFailedSync) {
    this.#file = new LibsqlFile(path);
    this.#onFailedSync = onFailedSync;
  }

  createDriver(): Driver {
    return new DurableSqliteDriver(this.#file, this.#onFailedSync);
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createIntrospector(database: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(database);
  }

  /**
   * Lets the migrator run in a transaction, whose write lock keeps two starting processes apart. SQLite can roll back
   * its DDL.
   */
  createAdapter(): SqliteAdapter {
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
class DurableSqliteDriver implements Driver {
  readonly #file: LibsqlFile;
  readonly #turns = new Turns();
  readonly #log: SqliteLog;
  readonly #connection: SqliteConnection;

  constructor(file: LibsqlFile, onFailedSync: OnFailedSync | undefined) {
    this.#file = file;
    this.#log = new SqliteLog(file.path, (work) => this.#connection.withoutWrites(work), onFailedSync);
    this.#connection = new SqliteConnection(file, this.#turns, this.#log);
  }

  init(): Promise<void> {
    return this.#log.open();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Rolls back unless SQLite already has, as it does when its disk is full: a second error would hide the first. */
  async rollbackTransaction(): Promise<void> {
    if (this.#file.isInTransaction) {
      await this.#connection.executeQuery(CompiledQuery.raw('rollback'));
    }
  }

  async releaseConnection(): Promise<void> {
    const wrote = this.#file.takeWrote();
    this.#turns.pass();
    if (wrote) {
      await this.#log.sync();
    }
  }

  async destroy(): Promise<void> {
    await this.#log.close();
    this.#file.close();
  }
}

/** Turns at the only connection, in the order of arrival. Kysely's own lock wakes all who wait, for each turn. */
class Turns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  /** When the first waiter of this turn of the event loop was woken. */
  #turnStarted: number | undefined;

  async take(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
  }

  pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
    } else if (this.#isTurnLong()) {
      setImmediate(next);
    } else {
      next();
    }
  }

  /** Lets others have the connection until `end` has settled. */
  async leaveUntil(end: Promise<unknown>): Promise<void> {
    this.pass();
    await end.catch(() => undefined);
    await this.take();
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

class SqliteConnection implements DatabaseConnection {
  readonly #file: LibsqlFile;
  readonly #turns: Turns;
  readonly #log: SqliteLog;
  /** Writes wait for its end. */
  #checkpoint: Promise<void> | undefined;

  constructor(file: LibsqlFile, turns: Turns, log: SqliteLog) {
    this.#file = file;
    this.#turns = turns;
    this.#log = log;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const deadline = performance.now() + BUSY_MS.longest;
    const mayWait = !this.#file.isInTransaction;
    for (;;) {
      if (mayWait && !isRead(sql)) {
        await this.#untilDurable();
        await this.#untilNoCheckpoint();
      }
      try {
        return this.#run(sql, parameters);
      } catch (error) {
        if (!mayWait || sql === BEGIN_AT_ONCE || !isBusy(error) || performance.now() >= deadline) {
          throw error;
        }
      }
      await this.#turns.leaveUntil(delay(BUSY_MS.turn));
    }
  }

  streamQuery(): never {
    throw new Error('no query of this database is streamed');
  }

  /** Runs `work` while no transaction is open. Reads go on, and writes wait for its end. */
  async withoutWrites(work: () => Promise<void>): Promise<void> {
    await this.#turns.take();
    await this.#untilNoCheckpoint();
    const checkpoint = work().finally(() => {
      this.#checkpoint = undefined;
    });
    this.#checkpoint = checkpoint;
    this.#turns.pass();
    await checkpoint;
  }

  /** @throws the error of the checkpoint that could not make everything durable again */
  async #untilDurable(): Promise<void> {
    if (this.#log.isInDoubt) {
      const durable = this.#log.sync();
      await this.#turns.leaveUntil(durable);
      await durable;
    }
  }

  async #untilNoCheckpoint(): Promise<void> {
    while (this.#checkpoint !== undefined) {
      await this.#turns.leaveUntil(this.#checkpoint);
    }
  }

  /** A statement that changes rows and is no part of a transaction becomes one, so that it never finds the lock taken. */
  #run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (sql === 'begin' || sql === BEGIN_AT_ONCE) {
      this.#file.begin();
      return { rows: [] };
    }
    if (this.#file.isInTransaction || !changesRows(sql)) {
      return this.#runWithin(sql, parameters);
    }
    this.#file.begin();
    try {
      const result = this.#runWithin<Row>(sql, parameters);
      this.#runWithin('commit', []);
      return result;
    } catch (error) {
      // SQLite may have done so, as when its disk is full.
      if (this.#file.isInTransaction) {
        this.#runWithin('rollback', []);
      }
      throw error;
    }
  }

  #runWithin<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#file.prepare(sql);
    if (statement.reader) {
      return { rows: statement.all(parameters) as Row[] };
    }
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }
}
