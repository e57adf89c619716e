/** Wakes the outbox as soon as something new is due, so that it need not wait for its next look. */

import type { Database } from '../database/connection.js';
import { afterCommit } from '../database/transaction.js';

const wakers = new WeakMap<Database, () => void>();

/** @param wake called when this process has made something due in the database */
export function onDue(database: Database, wake: () => void): void {
  wakers.set(database, wake);
}

/** Call it after making a row of the outbox due. It takes effect when the transaction commits; at once outside of one. */
export function wakeOutbox(executor: Database): void {
  afterCommit(executor, (committed) => wakers.get(committed)?.());
}
