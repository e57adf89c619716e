/** Transactions that are run again when the database asks for it, and the assertion that money moves inside one. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Database, DatabaseTransaction } from './connection.js';

const ATTEMPTS = 10;

/** Upper bound of the random pause before the second attempt; it doubles with every further one. */
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in a transaction that is committed when it resolves and rolled back when it rejects. The database may
 * pick it as the victim of a deadlock: then it is run again from its beginning, so `work` has no effect but its queries.
 */
export async function transact<T>(
  database: Database,
  work: (transaction: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isLockConflict(error)) {
        throw error;
      }
      await delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
  }
}

/** Throws unless `executor` is a transaction: a debit without its ledger entry must be impossible to write. */
export function assertTransaction(executor: Database): asserts executor is DatabaseTransaction {
  if (!executor.isTransaction) {
    throw new Error('money moves inside a transaction only');
  }
}

/** ER_LOCK_DEADLOCK, ER_LOCK_WAIT_TIMEOUT, and SQLite's word for a lock that another process kept too long. */
function isLockConflict(error: unknown): boolean {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return errno === 1213 || errno === 1205 || (typeof code === 'string' && code.startsWith('SQLITE_BUSY'));
}

/** True where an INSERT failed because its row's key is taken: ER_DUP_ENTRY, and SQLite's words for it. */
export function isDuplicate(error: unknown): boolean {
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return errno === 1062 || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}
