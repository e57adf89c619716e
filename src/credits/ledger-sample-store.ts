/** Looks at the ends of a few organisations' ledgers at a time, round and round: what `admin verify` proves, cheap enough to be done always. */

import type { Database } from '../database/connection.js';

const ORGANISATIONS_PER_LOOK = 20;
const ENTRIES_PER_LOOK = 50;

export class LedgerSampleStore {
  readonly #database: Database;
  /** Organisations whose ledger did not add up when it was last looked at. */
  readonly #broken = new Set<string>();
  #last = '';

  constructor(database: Database) {
    this.#database = database;
  }

  get anomalies(): number {
    return this.#broken.size;
  }

  /** Looks at the next organisations and returns how many they were. */
  async look(): Promise<number> {
    const next = await this.#database
      .selectFrom('organisations')
      .select('id')
      .where('id', '>', this.#last)
      .orderBy('id')
      .limit(ORGANISATIONS_PER_LOOK)
      .execute();
    for (const { id } of next) {
      if (await this.#addsUp(id)) {
        this.#broken.delete(id);
      } else {
        this.#broken.add(id);
      }
    }
    this.#last = next.length < ORGANISATIONS_PER_LOOK ? '' : (next.at(-1)?.id ?? '');
    return next.length;
  }

  /** Each entry leads from the balance after the one before to its own, and the last one's is the organisation's. */
  async #addsUp(organisationId: string): Promise<boolean> {
    // One statement, so that balance and entries are of one moment.
    const newest = this.#database
      .selectFrom('ledger_entries')
      .select(['id', 'organisation_id', 'amount', 'balance_after'])
      .where('organisation_id', '=', organisationId)
      .orderBy('id', 'desc')
      .limit(ENTRIES_PER_LOOK);
    const rows = await this.#database
      .selectFrom('organisations')
      .leftJoin(newest.as('entry'), 'entry.organisation_id', 'organisations.id')
      .select(['organisations.balance', 'entry.id', 'entry.amount', 'entry.balance_after as after'])
      .where('organisations.id', '=', organisationId)
      .orderBy('entry.id', 'desc')
      .execute();
    let expected = rows[0]?.balance ?? 0;
    for (const { amount, after } of rows) {
      if ((after ?? 0) !== expected) {
        return false;
      }
      expected -= amount ?? 0;
    }
    // When all entries were looked at, the first one began at nothing.
    return rows.length === ENTRIES_PER_LOOK || expected === 0;
  }
}
