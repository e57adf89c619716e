/** Credits: every change of a balance is one conditional UPDATE and one ledger entry, in the same transaction. */

import { sql } from 'kysely';
import { ApiError, organisationSuspended } from '../contract/errors.js';
import { counted, grouped } from '../platform/counted.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import type { LedgerEntryKind } from '../database/schema.js';
import { insertion, statement } from '../database/statement.js';
import { assertTransaction, transact } from '../database/transaction.js';
import type { CreditMode } from './credit-mode.js';
import { addToDay } from './ledger-day-store.js';

/** Cause of an entry: an API key or a person. Neither: the service itself or the command line. */
export interface Origin {
  keyId?: string | undefined;
  personId?: string | undefined;
}

/** Credits that are charged or refunded for a job. */
interface JobCredits {
  organisationId: string;
  jobId: string;
  /** A positive integer. */
  credits: number;
  /** A refund takes the origin of its charge instead. */
  origin?: Origin;
}

export class Ledger {
  readonly #database: Database;
  readonly #mode: CreditMode;

  constructor(database: Database, mode: CreditMode = 'metered') {
    this.#database = database;
    this.#mode = mode;
  }

  /** Credits available to spend. @throws ApiError `not_found` when there is no such organisation */
  async balance(organisationId: string): Promise<number> {
    return balanceOf(this.#database, organisationId);
  }

  /** True when no job is refused for its cost. */
  get isUnlimited(): boolean {
    return this.#mode === 'unlimited';
  }

  /** True when a charge of `credits` would be accepted at this balance. */
  suffices(balance: number, credits: number): boolean {
    return this.isUnlimited || balance >= credits;
  }

  /**
   * Refuses early a job that the balance cannot pay. Only the charge itself decides. @throws ApiError
   * `insufficient_credits`
   */
  async requireCredits(organisationId: string, credits: number): Promise<void> {
    const balance = await this.balance(organisationId);
    if (!this.suffices(balance, credits)) {
      throw insufficient(credits, balance);
    }
  }

  /** Adds credits (a positive integer) and returns the new balance. @throws ApiError `not_found` */
  async grant(organisationId: string, credits: number, reason: string, origin: Origin = {}): Promise<number> {
    return transact(this.#database, (transaction) =>
      grantCredits(transaction, organisationId, credits, reason, origin),
    );
  }
}

/** Does what `Ledger.grant` does, inside the caller's transaction. */
export async function grantCredits(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number,
  reason: string,
  origin: Origin = {},
): Promise<number> {
  await credit(transaction, organisationId, requirePositive(credits));
  return record(transaction, { organisationId, kind: 'grant', amount: credits, jobId: null, reason, origin });
}

/**
 * Takes granted credits back inside the caller's transaction, and returns the new balance. Undefined when the balance is
 * lower than that: the caller must roll the transaction back. @throws ApiError `not_found`
 */
export async function takeBackCredits(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number,
  reason: string,
  origin: Origin = {},
): Promise<number | undefined> {
  assertTransaction(transaction);
  // Also from one that is suspended.
  const { numUpdatedRows } = await transaction
    .updateTable('organisations')
    .set((column) => ({ balance: column('balance', '-', requirePositive(credits)) }))
    .where('id', '=', organisationId)
    .where('balance', '>=', credits)
    .executeTakeFirst();
  return numUpdatedRows === 0n
    ? undefined
    : record(transaction, { organisationId, kind: 'grant', amount: -credits, jobId: null, reason, origin });
}

/**
 * Debits a job's credits inside the caller's transaction. When credits are unlimited and the balance is too low, first
 * grants the job's cost.
 * @throws ApiError `organisation_suspended`; `insufficient_credits` with `required` and `balance`; the caller must roll the
 * transaction back
 */
export async function chargeJob(
  transaction: DatabaseTransaction,
  job: JobCredits,
  mode: CreditMode = 'metered',
): Promise<void> {
  const { organisationId, credits } = job;
  if (!(await debit(transaction, organisationId, requirePositive(credits)))) {
    const { balance, suspendedAt } = await accountOf(transaction, organisationId);
    if (suspendedAt !== null) {
      throw organisationSuspended();
    }
    if (mode === 'metered') {
      throw insufficient(credits, balance);
    }
    // Locks the row: nothing is granted to an organisation that was suspended since that look.
    if (!(await debit(transaction, organisationId, 0))) {
      throw organisationSuspended();
    }
    await grantCredits(transaction, organisationId, credits, 'credits are unlimited here', job.origin);
    await debit(transaction, organisationId, credits);
  }
  await record(transaction, { origin: {}, ...job, kind: 'charge', amount: -credits, reason: 'job accepted' });
}

/**
 * Debits the credits of several jobs inside the caller's transaction, in their order. A job that cannot be paid is
 * skipped. Returns, for each job, undefined or the error that `chargeJob` throws.
 */
export async function chargeJobs(
  transaction: DatabaseTransaction,
  jobs: readonly JobCredits[],
  mode: CreditMode = 'metered',
): Promise<(ApiError | undefined)[]> {
  const refusals = new Map<JobCredits, ApiError>();
  const entries: NewEntry[] = [];
  // Sorted by id, so that two transactions never deadlock.
  for (const organisationId of [...new Set(jobs.map((job) => job.organisationId))].toSorted()) {
    const own = jobs.filter((job) => job.organisationId === organisationId);
    const total = own.reduce((sum, { credits }) => sum + requirePositive(credits), 0);
    if (await debit(transaction, organisationId, total)) {
      // The updated row stays locked until the commit, so this is the balance after the update.
      let balance = (await balanceOf(transaction, organisationId)) + total;
      for (const job of own) {
        balance -= job.credits;
        entries.push({ origin: {}, ...job, kind: 'charge', amount: -job.credits, balance, reason: 'job accepted' });
      }
      continue;
    }
    for (const job of own) {
      await chargeJob(transaction, job, mode).catch((error: unknown) => {
        if (!(error instanceof ApiError)) {
          throw error;
        }
        refusals.set(job, error);
      });
    }
  }
  await insertEntries(transaction, entries);
  return jobs.map((job) => refusals.get(job));
}

function insufficient(required: number, balance: number): ApiError {
  const message = `The job needs ${counted(required, 'credit', grouped)}; ${grouped(balance)} ${balance === 1 ? 'is' : 'are'} available.`;
  return new ApiError('insufficient_credits', message, { required, balance });
}

/** Returns a job's credits inside the caller's transaction. A second refund of a job violates a unique constraint. */
export async function refundJob(transaction: DatabaseTransaction, job: JobCredits, reason: string): Promise<void> {
  const amount = requirePositive(job.credits);
  await credit(transaction, job.organisationId, amount);
  const origin = await originOfCharge(transaction, job.jobId);
  await record(transaction, { ...job, kind: 'refund', amount, reason, origin });
}

const addToBalance = statement((database, { organisationId, credits }: { organisationId: string; credits: number }) =>
  database
    .updateTable('organisations')
    .set((column) => ({ balance: column('balance', '+', credits) }))
    .where('id', '=', organisationId),
);

const takeFromBalance = statement(
  (database, { organisationId, credits }: { organisationId: string; credits: number }) =>
    database
      .updateTable('organisations')
      .set((column) => ({ balance: column('balance', '-', credits) }))
      .where('id', '=', organisationId)
      .where('balance', '>=', credits)
      .where('suspended_at', 'is', null),
);

async function credit(transaction: DatabaseTransaction, organisationId: string, credits: number): Promise<void> {
  assertTransaction(transaction);
  await addToBalance(transaction, { organisationId, credits });
}

/**
 * False when the balance is too low, or the organisation is suspended. The UPDATE itself looks: an operator may suspend it until
 * the row is locked.
 */
async function debit(transaction: DatabaseTransaction, organisationId: string, credits: number): Promise<boolean> {
  assertTransaction(transaction);
  const { affected } = await takeFromBalance(transaction, { organisationId, credits });
  return affected === 1;
}

/** A ledger entry, with the balance after it. */
interface NewEntry {
  organisationId: string;
  kind: LedgerEntryKind;
  amount: number;
  balance: number;
  jobId: string | null;
  reason: string;
  origin: Origin;
}

/** Appends the ledger entry for a change of balance made in the same transaction. Returns the balance after it. */
async function record(transaction: DatabaseTransaction, entry: Omit<NewEntry, 'balance'>): Promise<number> {
  // The updated row stays locked until the commit, so this is the balance after the update.
  const balance = await balanceOf(transaction, entry.organisationId);
  await insertEntries(transaction, [{ ...entry, balance }]);
  return balance;
}

const insertLedgerEntries = insertion('ledger_entries');

async function insertEntries(transaction: DatabaseTransaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) {
    return;
  }
  const createdAt = Date.now();
  await insertLedgerEntries(
    transaction,
    entries.map((entry) => ({
      organisation_id: entry.organisationId,
      kind: entry.kind,
      amount: entry.amount,
      balance_after: entry.balance,
      job_id: entry.jobId,
      key_id: entry.origin.keyId ?? null,
      person_id: entry.origin.personId ?? null,
      reason: entry.reason,
      created_at: createdAt,
    })),
  );
  const use = entries.flatMap(({ organisationId, kind, amount, origin: { keyId, personId } }) =>
    kind === 'grant' ? [] : [{ organisationId, kind, amount, userId: keyId ?? personId ?? '' }],
  );
  await addToDay(transaction, use, createdAt);
}

async function originOfCharge(transaction: DatabaseTransaction, jobId: string): Promise<Origin> {
  const charge = await transaction
    .selectFrom('ledger_entries')
    .select(['key_id', 'person_id'])
    .where('job_id', '=', jobId)
    .where('kind', '=', 'charge')
    .executeTakeFirst();
  return { keyId: charge?.key_id ?? undefined, personId: charge?.person_id ?? undefined };
}

const selectAccount = statement((database, { organisationId }: { organisationId: string }) =>
  database
    .selectFrom('organisations')
    .select(['balance', 'suspended_at as suspendedAt'])
    .where('id', '=', organisationId)
    .limit(sql.lit(1)),
);

/** Credits available to spend. @throws ApiError `not_found` */
export async function balanceOf(database: Database, organisationId: string): Promise<number> {
  return (await accountOf(database, organisationId)).balance;
}

async function accountOf(
  database: Database,
  organisationId: string,
): Promise<{ balance: number; suspendedAt: number | null }> {
  const [organisation] = (await selectAccount(database, { organisationId })).rows;
  if (organisation === undefined) {
    throw new ApiError('not_found', 'There is no such organisation.');
  }
  return organisation;
}

function requirePositive(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits <= 0) {
    throw new RangeError(`credits must be a positive integer, not ${credits}`);
  }
  return credits;
}
