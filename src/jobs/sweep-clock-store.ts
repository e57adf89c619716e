/** The time by which jobs expire. What a clock that is wrong by days deletes, its correction does not bring back. */

import { DAY_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { isDuplicate, retryConflicts } from '../database/transaction.js';

/** A clock that is farther ahead of the last sweep than this is in doubt: it may be wrong, or no process ran for so long. */
const FARTHEST_MS = 7 * DAY_MS;

/** A clock that goes on for this long after it came into doubt is right. */
const DOUBT_MS = DAY_MS;

/** The only row. */
const ID = 1;

export class SweepClockStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** True when jobs may be deleted that have expired by `now` (Unix milliseconds). Remembers the time of each such sweep. */
  async trusts(now: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('sweep_clock')
      .select(['trusted_at as trustedAt', 'doubted_at as doubtedAt'])
      .where('id', '=', ID)
      .executeTakeFirst();
    if (row === undefined) {
      await this.#begin(now);
      return true;
    }
    const { trustedAt, doubtedAt } = row;
    const isNear = now <= trustedAt + FARTHEST_MS;
    const isSteady = doubtedAt !== null && now >= doubtedAt + DOUBT_MS && now <= doubtedAt + FARTHEST_MS;
    if (isNear || isSteady) {
      await this.#set({ trusted_at: now, doubted_at: null });
      return true;
    }
    // A doubt from before another jump says nothing about this clock.
    if (doubtedAt === null || now < doubtedAt || now > doubtedAt + FARTHEST_MS) {
      await this.#set({ trusted_at: trustedAt, doubted_at: now });
    }
    return false;
  }

  async #begin(now: number): Promise<void> {
    try {
      await this.#database.insertInto('sweep_clock').values({ id: ID, trusted_at: now, doubted_at: null }).execute();
    } catch (error) {
      // Another process was first.
      if (!isDuplicate(error)) {
        throw error;
      }
    }
  }

  async #set(times: { trusted_at: number; doubted_at: number | null }): Promise<void> {
    await retryConflicts(() => this.#database.updateTable('sweep_clock').set(times).where('id', '=', ID).execute());
  }
}
