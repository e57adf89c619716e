/** SQL that mails and webhook deliveries share: leases, the end of claims, and figures of what waits. */

import { DAY_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';

type OutboxTable = 'mails' | 'webhook_deliveries';

/** Due rows that are read first. Only where there are more is each receiver looked at. */
export const DUE_FIRST = 200;

/** Receivers whose rows one look returns: more than may have sends in flight, with all others of their organisations. */
export const MAX_RECEIVERS = 1_000;

/** Maximum number of rows that are counted: there may be millions, and the figures are read all the time. */
const MAX_COUNTED = 100_000;

const MAX_TEXT_CHARACTERS = 500;

/** No retry, claim or pause ends later than this from now. A later end was set by a clock that has jumped back since. */
export const FARTHEST_ATTEMPT_MS = 2 * DAY_MS;

/** A row that may be claimed. */
export interface Due {
  id: string;
  /** Empty: the service itself. */
  organisationId: string;
  /** Gets one row at a time. */
  receiver: string;
  /** True when the receiver's last attempt failed. */
  isFailing: boolean;
}

/** A row that no other process sends before `leasedUntil`. */
export interface Claimed {
  id: string;
  /** Failed attempts. */
  attempts: number;
  /** Unix milliseconds. */
  leasedUntil: number;
}

/** Rows that wait for their first or next attempt: of those due first, as many as are counted. */
export interface WaitingRows {
  /** At most 100,000. */
  waiting: number;
  /** Age of the oldest waiting row in seconds; 0 when none waits. */
  oldestSeconds: number;
}

/** Claims a row whose next attempt is at `dueAt`. Undefined when another process was first. */
export async function lease(
  database: Database,
  table: OutboxTable,
  { id, dueAt }: { id: string; dueAt: number | null },
  leaseMs: number,
): Promise<number | undefined> {
  const leasedUntil = Math.max(Date.now() + leaseMs, (dueAt ?? 0) + 1);
  const { numUpdatedRows } = await database
    .updateTable(table)
    .set({ next_attempt_at: leasedUntil })
    .where('id', '=', id)
    .where('next_attempt_at', '=', dueAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? leasedUntil : undefined;
}

/** Ends a claim without an attempt: the row is due again. */
export async function release(database: Database, table: OutboxTable, { id, leasedUntil }: Claimed): Promise<void> {
  await database
    .updateTable(table)
    .set({ next_attempt_at: Date.now() })
    .where('id', '=', id)
    .where('next_attempt_at', '=', leasedUntil)
    .execute();
}

/** Makes due what a clock that has jumped back since put off for longer than anything is. */
export async function recall(database: Database, table: OutboxTable): Promise<void> {
  const now = Date.now();
  await database
    .updateTable(table)
    .set({ next_attempt_at: now })
    .where('next_attempt_at', '>', now + FARTHEST_ATTEMPT_MS)
    .execute();
}

/** Cut to what the tables have room for. */
export function shortened(text: string, characters = MAX_TEXT_CHARACTERS): string {
  return [...text].slice(0, characters).join('');
}

export async function waitingRows(database: Database, table: OutboxTable, now: number): Promise<WaitingRows> {
  const first = database
    .selectFrom(table)
    .select('created_at')
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(MAX_COUNTED);
  const { waiting, oldest } = await database
    .selectFrom(first.as('row'))
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<number | null>('created_at').as('oldest')])
    .executeTakeFirstOrThrow();
  return { waiting, oldestSeconds: secondsSince(oldest, now) };
}

/** Seconds since a time (Unix milliseconds); 0 for one in the future, and for none. */
export function secondsSince(time: number | null, now: number): number {
  return time === null ? 0 : Math.max(0, now - time) / 1_000;
}
