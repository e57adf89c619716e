/** Monthly allowances: each organisation that has one gets an ordinary grant once per calendar month (UTC). */

import { LIMITS } from '../contract/limits.js';
import { sweepTime } from '../database/clock.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';
import { assertTransaction, transact } from '../database/transaction.js';
import { Rounds } from '../platform/rounds.js';
import { balanceOf, grantCredits } from './ledger-store.js';

/** A new month, organisation or allowance takes effect within this time. */
const CHECK_INTERVAL_MS = 60_000;

/** Start of the reason of an allowance's grant. The month follows. */
export const ALLOWANCE_REASON = 'allowance of ';

/**
 * Sets an organisation's own allowance inside the caller's transaction. Null: the organisation gets the service's
 * standard allowance.
 * @throws ApiError `not_found` when there is no such organisation
 */
export async function setAllowance(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number | null,
): Promise<void> {
  assertTransaction(transaction);
  // Throws when there is no such organisation.
  await balanceOf(transaction, organisationId);
  await transaction
    .updateTable('organisations')
    .set({ monthly_credits: credits })
    .where('id', '=', organisationId)
    .execute();
}

export class Allowances {
  readonly #database: Database;
  /** Credits per month of an organisation without an allowance of its own. */
  readonly standard: number;
  #rounds: Rounds | undefined;

  constructor(database: Database, standard: number) {
    this.#database = database;
    this.standard = standard;
  }

  /** Credits of a new account: its welcome, and the allowance of its first month. */
  get first(): number {
    return LIMITS.welcomeCredits + this.standard;
  }

  /** Grants what is due now and, from then on, whatever becomes due. Safe to run in several processes at once. */
  start(onFailure: (error: unknown) => void): void {
    this.#rounds = new Rounds({ work: () => this.grantDue(), everyMs: CHECK_INTERVAL_MS, onFailure });
    void this.#rounds.start();
  }

  async close(): Promise<void> {
    await this.#rounds?.close();
  }

  /** Grants a new organisation its allowance, without those of others. If that fails, the next round does it. */
  async grantFirst(organisationId: string): Promise<void> {
    await this.grantDue(undefined, organisationId).catch(() => undefined);
  }

  /**
   * Grants this month's allowances that are still due. Returns how many organisations got theirs.
   * @param organisationId only this one's
   */
  async grantDue(now?: number, organisationId?: string): Promise<number> {
    const month = new Date(now ?? Date.now()).toISOString().slice(0, 'yyyy-mm'.length);
    let granted = 0;
    const due = pagesOf((limit, last: { id: string; credits: number | null } | undefined) =>
      this.#due(month, limit, last?.id ?? '', organisationId),
    );
    for await (const page of due) {
      // By a clock that is a year ahead the organisations would get one month's credits now, and then none for a year.
      if (now === undefined && page.length > 0 && (await sweepTime(this.#database)) === 0) {
        return granted;
      }
      for (const { id, credits } of page) {
        granted += Number(await this.#grant(id, credits ?? this.standard, month));
      }
    }
    return granted;
  }

  /** The next organisations after `last`, by id, that have an allowance and did not get this month's. */
  #due(month: string, limit: number, last: string, organisationId?: string) {
    const due = this.#database
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
      .limit(limit);
    return (organisationId === undefined ? due : due.where('id', '=', organisationId)).execute();
  }

  /** Returns false when another process was first: the guarded UPDATE moves an organisation into a month only once. */
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
      await grantCredits(transaction, organisationId, credits, ALLOWANCE_REASON + month);
      return true;
    });
  }
}
