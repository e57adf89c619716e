/** Guards against clocks that jump. What a sweep deletes by a clock that is wrong by days, its correction does not bring back. */

import { DAY_MS } from '../contract/limits.js';
import type { Database } from './connection.js';
import { isDuplicate, retryConflicts } from './transaction.js';

/** A claim that ends later than this from now is void: it was made by a clock that has jumped back since. */
export const FARTHEST_CLAIM_MS = 300_000;

/** A clock that is farther ahead of the last sweep than this is in doubt: it may be wrong, or no process ran for so long. */
const FARTHEST_SWEEP_MS = 7 * DAY_MS;

/** A clock that goes on for this long after it came into doubt is right. */
const DOUBT_MS = DAY_MS;

/** The only row of `sweep_clock`. */
const ID = 1;

/** True for a claim that ends in the near future. */
export function isHeld(until: number | null, now: number): boolean {
  return until !== null && until > now && until <= now + FARTHEST_CLAIM_MS;
}

/** The time by which things have expired: now (Unix milliseconds), which is remembered, or 0 while the clock is in doubt. */
export async function sweepTime(database: Database): Promise<number> {
  const now = Date.now();
  const set = (times: { trusted_at: number; doubted_at: number | null }) =>
    retryConflicts(() => database.updateTable('sweep_clock').set(times).where('id', '=', ID).execute());
  const row = await database
    .selectFrom('sweep_clock')
    .select(['trusted_at as trustedAt', 'doubted_at as doubtedAt'])
    .where('id', '=', ID)
    .executeTakeFirst();
  if (row === undefined) {
    await begin(database, now);
    return now;
  }
  const { trustedAt, doubtedAt } = row;
  // A doubt from before another jump says nothing about this clock.
  const isOfThisClock = doubtedAt !== null && now >= doubtedAt && now <= doubtedAt + FARTHEST_SWEEP_MS;
  if (now <= trustedAt + FARTHEST_SWEEP_MS || (isOfThisClock && now >= doubtedAt + DOUBT_MS)) {
    await set({ trusted_at: now, doubted_at: null });
    return now;
  }
  if (!isOfThisClock) {
    await set({ trusted_at: trustedAt, doubted_at: now });
  }
  return 0;
}

async function begin(database: Database, now: number): Promise<void> {
  try {
    await database.insertInto('sweep_clock').values({ id: ID, trusted_at: now, doubted_at: null }).execute();
  } catch (error) {
    // Another process was first.
    if (!isDuplicate(error)) {
      throw error;
    }
  }
}
