/** Monthly allowances: an ordinary grant to each organisation that has one, once in a calendar month (UTC). */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { assertTransaction, transact } from '../database/transaction.js';
import { balanceOf, grantCredits } from './ledger-store.js';

/** Organisations that are read at once. */
const PAGE = 100;

/** A new month, a new organisation or a new allowance is seen after this time. */
const LOOK_EVERY_MS = 60_000;

/**
 * Sets an organisation's own allowance inside the caller's transaction; null gives it that of the service.
 * @throws ApiError `not_found` where there is no such organisation
 */
export async function setAllowance(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number | null,
): Promise<void> {
  assertTransaction(transaction);
  // An UPDATE of a row that is so already changes no row on MySQL, as one of a row that is not there.
  await balanceOf(transaction, organisationId);
  await transaction
    .updateTable('organisations')
    .set({ monthly_credits: credits })
    .where('id', '=', organisationId)
    .execute();
}

export class Allowances {
  readonly #database: Database;
  /** Credits a month of an organisation that has no allowance of its own. */
  readonly standard: number;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<unknown> | undefined;

  constructor(database: Database, standard: number) {
    this.#database = database;
    this.standard = standard;
  }

  /** Grants what is due now, and from then on what becomes due. Any number of processes may do so at the same time. */
  start(onFailure: (error: unknown) => void): void {
    const look = () => {
      this.#round ??= this.grantDue()
        .catch(onFailure)
        .finally(() => {
          this.#round = undefined;
        });
    };
    this.#timer = setInterval(look, LOOK_EVERY_MS).unref();
    look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** Sets an organisation's own allowance, or the standard one with null, and returns what it gets a month. @throws ApiError `not_found` */
  async set(organisationId: string, credits: number | null): Promise<number> {
    await transact(this.#database, (transaction) => setAllowance(transaction, organisationId, credits));
    return credits ?? this.standard;
  }

  /** Grants the allowances of the month that have not been granted yet, and returns how many organisations got theirs. */
  async grantDue(now = Date.now()): Promise<number> {
    const month = new Date(now).toISOString().slice(0, 'yyyy-mm'.length);
    let granted = 0;
    for (let last = ''; ; ) {
      const page = await this.#due(month, last);
      for (const { id, credits } of page) {
        granted += Number(await this.#grant(id, credits ?? this.standard, month));
      }
      last = page.at(-1)?.id ?? '';
      if (page.length < PAGE) {
        return granted;
      }
    }
  }

  /** Organisations behind `last` that have an allowance, and did not get that of the month. */
  #due(month: string, last: string) {
    return this.#database
      .selectFrom('organisations')
      .select(['id', 'monthly_credits as credits'])
      .where('allowance_month', '<', month)
      .where((row) =>
        this.standard === 0
          ? row('monthly_credits', '>', 0)
          : row.or([row('monthly_credits', '>', 0), row('monthly_credits', 'is', null)]),
      )
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute();
  }

  /** False where another process was first: the guarded UPDATE moves an organisation into a month once. */
  #grant(organisationId: string, credits: number, month: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('organisations')
        .set({ allowance_month: month })
        .where('id', '=', organisationId)
        .where('allowance_month', '<', month)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        return false;
      }
      await grantCredits(transaction, organisationId, credits, `allowance of ${month}`);
      return true;
    });
  }
}
