/**
 * Credits used per day and key or person, kept in the transactions that write the ledger: charts need not add up its entries, which
 * are never deleted.
 */

import type { Selectable } from 'kysely';
import { DAY_MS } from '../contract/limits.js';
import type { DatabaseTransaction } from '../database/connection.js';
import type { Schema } from '../database/schema.js';
import { insertion, statement } from '../database/statement.js';

interface UseEntry {
  organisationId: string;
  kind: 'charge' | 'refund';
  /** Signed: a charge is negative. */
  amount: number;
  /** Key or person. */
  userId: string;
}

/** A row of a day and a key or person: the credits and jobs that it has, or that are added to it. */
type DayRow = Omit<Selectable<Schema['ledger_days']>, 'id'>;

const addToRow = statement((database, row: DayRow) =>
  database
    .updateTable('ledger_days')
    .set((column) => ({ credits: column('credits', '+', row.credits), jobs: column('jobs', '+', row.jobs) }))
    .where('organisation_id', '=', row.organisation_id)
    .where('day', '=', row.day)
    .where('user_id', '=', row.user_id),
);

const insertRows = insertion('ledger_days');

/** Start of the day in UTC. */
export function startOfDay(time: number): number {
  return time - (time % DAY_MS);
}

/**
 * Adds entries that are written at `time` (Unix milliseconds) to their day. The transaction has locked the rows of the
 * entries' organisations by changing their balances, so no other one adds to the same days.
 */
export async function addToDay(
  transaction: DatabaseTransaction,
  entries: readonly UseEntry[],
  time: number,
): Promise<void> {
  const day = startOfDay(time);
  for (const row of sums(entries, day)) {
    if ((await addToRow(transaction, row)).affected === 0) {
      await insertRows(transaction, [row]);
    }
  }
}

/** Sums of the entries of each organisation and key or person. */
function sums(entries: readonly UseEntry[], day: number): Iterable<DayRow> {
  const rows = new Map<string, DayRow>();
  for (const { organisationId, kind, amount, userId } of entries) {
    const name = `${organisationId} ${userId}`;
    const { credits, jobs } = rows.get(name) ?? { credits: 0, jobs: 0 };
    rows.set(name, {
      organisation_id: organisationId,
      day,
      user_id: userId,
      credits: credits - amount,
      jobs: jobs + (kind === 'charge' ? 1 : 0),
    });
  }
  return rows.values();
}
