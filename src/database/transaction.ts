/**
 * Transactions: repeated after lock conflicts, asserted where credits move, and shared by writes that arrive together, since a
 * commit costs as much for one write as for a hundred.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Database, DatabaseTransaction } from './connection.js';

const ATTEMPTS = 10;

/** Upper bound of the random delay before the first retry. Doubles with each retry. */
const FIRST_RETRY_DELAY_MS = 5;

/** Time for which the database is asked what became of a transaction whose commit failed. */
const ASK_MS = 3_000;

/** A commit failed, and the database says that the transaction did not happen. */
export class NotCommittedError extends Error {
  readonly code = 'NOT_COMMITTED';
}

/** A commit failed, and the database does not say whether the transaction happened. */
export class OutcomeUnknownError extends Error {
  readonly code = 'OUTCOME_UNKNOWN';
}

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it rejects. After a lock conflict, such as a
 * deadlock, runs `work` again from the beginning, so `work` must have no side effects besides its queries. Runs it again once
 * where a row refers to one that is gone: another transaction may have deleted that row after `work` had read it.
 * @param hasHappened asked in another transaction when the commit fails. It must wait for a lock that `work` takes: a server may
 * be carrying out a commit whose connection is gone. Without it the outcome is unknown
 * @throws NotCommittedError, OutcomeUnknownError
 */
export async function transact<T>(
  database: Database,
  work: (transaction: DatabaseTransaction) => Promise<T>,
  hasHappened?: (transaction: DatabaseTransaction) => Promise<boolean>,
): Promise<T> {
  let reports: Report[] = [];
  const attempt = async () => {
    reports = [];
    const reportsOfAttempt = reports;
    let isDone = false;
    let value: T | undefined;
    try {
      return await database.transaction().execute(async (transaction) => {
        reportsAfter.set(transaction, reportsOfAttempt);
        value = await work(transaction);
        isDone = true;
        return value;
      });
    } catch (cause) {
      if (!isDone || isDeadlock(cause)) {
        throw cause;
      }
      await settleCommit(database, cause, hasHappened);
      return value as T;
    }
  };
  const result = await retryConflicts(attempt).catch((error: unknown) => {
    if (isDangling(error)) {
      return retryConflicts(attempt);
    }
    throw error;
  });
  reports.forEach((report) => report(database));
  return result;
}

/** Resolves when a transaction happened although its commit failed with `cause`. @throws NotCommittedError, OutcomeUnknownError */
async function settleCommit(
  database: Database,
  cause: unknown,
  hasHappened: ((transaction: DatabaseTransaction) => Promise<boolean>) | undefined,
): Promise<void> {
  if (hasHappened === undefined) {
    throw new OutcomeUnknownError('a commit failed, and it is not known whether it happened', { cause });
  }
  const deadline = performance.now() + ASK_MS;
  for (let waitMs = FIRST_RETRY_DELAY_MS; ; waitMs *= 2) {
    const answer = await Promise.race([
      database.transaction().execute(hasHappened),
      delay(deadline - performance.now(), undefined, { ref: false }),
    ]).catch(() => undefined);
    if (answer === true) {
      return;
    }
    if (answer === false) {
      throw new NotCommittedError('a commit failed, and did not happen', { cause });
    }
    if (performance.now() + waitMs >= deadline) {
      throw new OutcomeUnknownError('a commit failed, and the database does not say whether it happened', { cause });
    }
    await delay(waitMs);
  }
}

type Report = (database: Database) => void;

/** Reports that wait until a transaction has committed. */
const reportsAfter = new WeakMap<Database, Report[]>();

/** Calls `report` once a transaction of `transact` has committed, and never if it does not; at once outside a transaction. */
export function afterCommit(executor: Database, report: Report): void {
  const reports = reportsAfter.get(executor);
  if (reports === undefined) {
    report(executor);
  } else {
    reports.push(report);
  }
}

/** Runs one statement, or one transaction, again after a lock conflict: the database has undone it. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isLockConflict(error)) {
        throw error;
      }
      await delay(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1));
    }
  }
}

/** Throws unless `executor` is a transaction. Makes it impossible to write a debit without its ledger entry. */
export function assertTransaction(executor: Database): asserts executor is DatabaseTransaction {
  if (!executor.isTransaction) {
    throw new Error('credits may only be moved inside a transaction');
  }
}

/**
 * ER_LOCK_DEADLOCK, or SQLite's error when another process held a lock too long. ER_ROW_IS_REFERENCED_2: another transaction
 * inserted a row, which this one does not see, for the row that it deletes. A statement that waited for a lock in vain
 * (ER_LOCK_WAIT_TIMEOUT) is not repeated: it has waited for seconds, and its connection is one of a few.
 */
function isLockConflict(error: unknown): boolean {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return isDeadlock(error) || Number(errno) === 1451 || (typeof code === 'string' && code.startsWith('SQLITE_BUSY'));
}

/** ER_LOCK_DEADLOCK: the server has undone the transaction, also where it says so at the commit. */
function isDeadlock(error: unknown): boolean {
  return Number((error as { errno?: unknown }).errno) === 1213;
}

/** True when a row refers to one that does not exist, usually because it was just deleted: ER_NO_REFERENCED_ROW_2. */
export function isDangling(error: unknown): boolean {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return errno === 1452 || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** True when an INSERT failed because its key exists: ER_DUP_ENTRY or SQLite's equivalents. */
export function isDuplicate(error: unknown): boolean {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return errno === 1062 || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}

interface Waiting<Entry> {
  entry: Entry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Commits all entries but those it refuses, or none when it rejects. Resolves with the refusals, which leave the other
 * entries untouched.
 */
type Write<Entry> = (entries: readonly Entry[]) => Promise<ReadonlyMap<Entry, Error>>;

/** ER_LOCK_WAIT_TIMEOUT: somebody else holds a row or a table. */
function isLockWait(error: unknown): boolean {
  return (error as { errno?: unknown }).errno === 1205;
}

/** A server closes the connection on which a statement is too long for it, and what it says about that may be lost. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);

/**
 * True for a failure that may be due to what a group writes or waits for, and has undone its transaction: a part of the group may
 * succeed. False for one of the server or the disk, which all would meet, or whose outcome is not known.
 */
function isOfContent(error: unknown): boolean {
  const { code, sqlState, fatal } = error as { code?: unknown; sqlState?: unknown; fatal?: unknown };
  return (
    CLOSED_CODES.has(code) ||
    (fatal !== true &&
      (typeof code !== 'string' || sqlState !== undefined || /^SQLITE_(?:CONSTRAINT|TOOBIG)/.test(code)))
  );
}

/** Maximum entries per transaction: bounds what a later entry waits for. */
const MAX_GROUP_ENTRIES = 64;

/**
 * Writes of several holders that share transactions. A group that fails for a reason of its content is written again, each
 * holder's entries apart from those of others; a holder whose entries fail stays apart until one is written. So a row that
 * somebody locked, or an entry that cannot be written, delays the others once.
 */
export class GroupedWrites<Entry> {
  readonly #write: Write<Entry>;
  readonly #holderOf: (entry: Entry) => string;
  /** Entries that wait, by their line: the holder of those that are written apart, otherwise ''. */
  readonly #lines = new Map<string, Waiting<Entry>[]>([['', []]]);
  /** Lines with a group that is being written: one at a time, so that what arrives meanwhile shares the next commit. */
  readonly #writing = new Set<string>();

  constructor(write: Write<Entry>, holderOf: (entry: Entry) => string) {
    this.#write = write;
    this.#holderOf = holderOf;
  }

  /**
   * Resolves when the entry is committed. @throws the entry's refusal, or the error that `write` rejected its whole
   * group with
   */
  add(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      const holder = this.#holderOf(entry);
      const line = this.#lines.has(holder) ? holder : '';
      this.#lines.get(line)?.push({ entry, resolve, reject });
      this.#start(line);
    });
  }

  #start(line: string): void {
    const group = this.#writing.has(line) ? [] : (this.#lines.get(line)?.splice(0, MAX_GROUP_ENTRIES) ?? []);
    if (group.length > 0) {
      this.#writing.add(line);
      void this.#run(line, group);
    }
  }

  async #run(line: string, group: readonly Waiting<Entry>[]): Promise<void> {
    await this.#attempt(line, group);
    this.#writing.delete(line);
    this.#start(line);
  }

  async #attempt(line: string, group: readonly Waiting<Entry>[]): Promise<void> {
    try {
      const refusals = await this.#write(group.map(({ entry }) => entry));
      if (line !== '' && this.#lines.get(line)?.length === 0) {
        this.#lines.delete(line);
      }
      for (const { entry, resolve, reject } of group) {
        const refusal = refusals.get(entry);
        if (refusal === undefined) {
          resolve();
        } else {
          reject(refusal);
        }
      }
    } catch (error) {
      if (line === '' && isOfContent(error)) {
        this.#setApart(group);
      } else if (group.length > 1 && isOfContent(error) && !isLockWait(error)) {
        for (const one of group) {
          await this.#attempt(line, [one]);
        }
      } else {
        group.forEach(({ reject }) => reject(error));
      }
    }
  }

  #setApart(group: readonly Waiting<Entry>[]): void {
    for (const one of group) {
      const holder = this.#holderOf(one.entry);
      this.#lines.set(holder, [...(this.#lines.get(holder) ?? []), one]);
    }
    group.forEach(({ entry }) => this.#start(this.#holderOf(entry)));
  }
}
