/** Deletes rows that have expired, a few at a time: SQLite deletes on the thread of the event loop. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './connection.js';
import { retryConflicts } from './transaction.js';

/** Rows per DELETE. More when more have the same time. */
const STEP = 500;

/** Tables whose rows end at a time of their own. Each has an index of it. */
type ExpiringTable =
  | 'sessions'
  | 'one_time_links'
  | 'invitations'
  | 'sent_forms'
  | 'kept_pages'
  | 'idempotency_records'
  | 'key_requests';

/** Tables of things that are sent. Their rows are kept for a while after the last attempt. */
type Outbox = 'mails' | 'webhook_deliveries';

/** Deletes the rows that have expired by `time` (Unix milliseconds). */
export async function deleteExpired(database: Database, table: ExpiringTable, time: number): Promise<void> {
  await inSteps(async (limit) => {
    const last = await database
      .selectFrom(table)
      .select('expires_at as time')
      .where('expires_at', '<=', time)
      .orderBy('expires_at')
      .offset(limit - 1)
      .limit(1)
      .executeTakeFirst();
    await retryConflicts(() =>
      database
        .deleteFrom(table)
        .where('expires_at', '<=', last?.time ?? time)
        .execute(),
    );
    return last !== undefined;
  });
}

/** Deletes rows without a next attempt that were created by `time` (Unix milliseconds). */
export async function deleteSettled(database: Database, table: Outbox, time: number): Promise<void> {
  await inSteps(async (limit) => {
    const last = await database
      .selectFrom(table)
      .select('created_at as time')
      .where('next_attempt_at', 'is', null)
      .where('created_at', '<=', time)
      .orderBy('created_at')
      .offset(limit - 1)
      .limit(1)
      .executeTakeFirst();
    await retryConflicts(() =>
      database
        .deleteFrom(table)
        .where('next_attempt_at', 'is', null)
        .where('created_at', '<=', last?.time ?? time)
        .execute(),
    );
    return last !== undefined;
  });
}

/** Calls `step` in turns of the event loop until it returns false. @param step deletes about `limit` rows */
export async function inSteps(step: (limit: number) => Promise<boolean>): Promise<void> {
  while (await step(STEP)) {
    await nextTurn();
  }
}
