/**
 * Checks the latest entries of a few ledgers at a time, in a loop over all organisations: a sample of what `admin
 * verify` proves, cheap enough to run all the time.
 */

import type { Database } from '../database/connection.js';

const ORGANISATIONS_PER_CHECK = 20;
const ENTRIES_PER_CHECK = 50;

export class LedgerSampleStore {
  readonly #database: Database;
  /** Organisations whose ledger did not add up at its last check. */
  readonly #broken = new Set<string>();
  #last = '';

  constructor(database: Database) {
    this.#database = database;
  }

  get anomalies(): number {
    return this.#broken.size;
  }

  /** Checks the next organisations and returns how many they were. */
  async checkNext(): Promise<number> {
    const next = await this.#database
      .selectFrom('organisations')
      .select('id')
      .where('id', '>', this.#last)
      .orderBy('id')
      .limit(ORGANISATIONS_PER_CHECK)
      .execute();
    for (const { id } of next) {
      if (await this.#addsUp(id)) {
        this.#broken.delete(id);
      } else {
        this.#broken.add(id);
      }
    }
    this.#last = next.length < ORGANISATIONS_PER_CHECK ? '' : (next.at(-1)?.id ?? '');
    return next.length;
  }

  /**
   * True when each entry's amount leads from the previous balance to its own, and the newest entry's balance is the
   * organisation's.
   */
  async #addsUp(organisationId: string): Promise<boolean> {
    // One statement, so that the balance and the entries are a consistent snapshot.
    const newest = this.#database
      .selectFrom('ledger_entries')
      .select(['id', 'organisation_id', 'amount', 'balance_after'])
      .where('organisation_id', '=', organisationId)
      .orderBy('id', 'desc')
      .limit(ENTRIES_PER_CHECK);
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
    // When all entries were read, the first one must start from 0.
    return rows.length === ENTRIES_PER_CHECK || expected === 0;
  }
}
