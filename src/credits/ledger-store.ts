/** Credits: every change of a balance is one conditional UPDATE and one ledger entry, in the same transaction. */

import { ApiError } from '../contract/errors.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import type { LedgerEntryKind } from '../database/schema.js';
import { assertTransaction, transact } from '../database/transaction.js';

/** Whose doing a movement is: a key's or a person's; neither is the service's own, or the command line's. */
export interface Origin {
  keyId?: string | undefined;
  personId?: string | undefined;
}

/** Credits that a job's charge or refund moves. */
export interface JobCredits {
  organisationId: string;
  jobId: string;
  /** A positive whole number. */
  credits: number;
  /** A refund has that of its charge. */
  origin?: Origin;
}

/** Credits limit what an organisation makes (`metered`), or only count it (`unlimited`). */
export const CREDIT_MODES = ['metered', 'unlimited'] as const;
export type CreditMode = (typeof CREDIT_MODES)[number];

export class Ledger {
  readonly #database: Database;
  readonly #mode: CreditMode;

  constructor(database: Database, mode: CreditMode = 'metered') {
    this.#database = database;
    this.#mode = mode;
  }

  /** Credits available to spend. @throws ApiError `not_found` when there is no such organisation. */
  async balance(organisationId: string): Promise<number> {
    return balanceOf(this.#database, organisationId);
  }

  /** True where no job is refused for its cost. */
  get isUnlimited(): boolean {
    return this.#mode === 'unlimited';
  }

  /** True where a charge of `credits` would be accepted with this balance. */
  suffices(balance: number, credits: number): boolean {
    return this.isUnlimited || balance >= credits;
  }

  /** Refuses early what cannot be paid; the charge itself decides. @throws ApiError `insufficient_credits` */
  async requireCredits(organisationId: string, credits: number): Promise<void> {
    const balance = await this.balance(organisationId);
    if (!this.suffices(balance, credits)) {
      throw insufficient(credits, balance);
    }
  }

  /** Adds credits (a positive whole number) and returns the new balance. @throws ApiError `not_found`. */
  async grant(organisationId: string, credits: number, reason: string, origin: Origin = {}): Promise<number> {
    return transact(this.#database, (transaction) =>
      grantCredits(transaction, organisationId, credits, reason, origin),
    );
  }
}

/** As `Ledger.grant`, inside the caller's transaction. */
export async function grantCredits(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number,
  reason: string,
  origin: Origin = {},
): Promise<number> {
  await changeBalance(transaction, organisationId, requirePositive(credits));
  return record(transaction, { organisationId, kind: 'grant', amount: credits, jobId: null, reason, origin });
}

/**
 * Debits a job's credits inside the caller's transaction. Where credits are unlimited and the balance does not suffice,
 * a grant of the job's cost goes before the charge.
 * @throws ApiError `insufficient_credits` with `required` and `balance`; the caller's transaction is to be rolled back.
 */
export async function chargeJob(
  transaction: DatabaseTransaction,
  job: JobCredits,
  mode: CreditMode = 'metered',
): Promise<void> {
  const amount = -requirePositive(job.credits);
  if (!(await changeBalance(transaction, job.organisationId, amount))) {
    if (mode === 'metered') {
      throw insufficient(job.credits, await balanceOf(transaction, job.organisationId));
    }
    await grantCredits(transaction, job.organisationId, job.credits, 'credits are unlimited here', job.origin);
    await changeBalance(transaction, job.organisationId, amount);
  }
  await record(transaction, { origin: {}, ...job, kind: 'charge', amount, reason: 'job accepted' });
}

/**
 * Debits the credits of jobs inside the caller's transaction, in their order, of each that can be paid. Returns for each job
 * nothing, or the refusal that `chargeJob` throws.
 */
export async function chargeJobs(
  transaction: DatabaseTransaction,
  jobs: readonly JobCredits[],
  mode: CreditMode = 'metered',
): Promise<(ApiError | undefined)[]> {
  const refusals = new Map<JobCredits, ApiError>();
  const entries: NewEntry[] = [];
  // In the order of their ids, so that two transactions never wait for each other.
  for (const organisationId of [...new Set(jobs.map((job) => job.organisationId))].toSorted()) {
    const own = jobs.filter((job) => job.organisationId === organisationId);
    const total = own.reduce((sum, { credits }) => sum + requirePositive(credits), 0);
    if (await changeBalance(transaction, organisationId, -total)) {
      // The changed row is locked until the commit, so this is the balance that the change left.
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
  const message = `The job needs ${required} credits; ${balance} are available.`;
  return new ApiError('insufficient_credits', message, { required, balance });
}

/** Returns a job's credits inside the caller's transaction. A job's second refund violates a unique constraint. */
export async function refundJob(transaction: DatabaseTransaction, job: JobCredits, reason: string): Promise<void> {
  const amount = requirePositive(job.credits);
  await changeBalance(transaction, job.organisationId, amount);
  const origin = await originOfCharge(transaction, job.jobId);
  await record(transaction, { ...job, kind: 'refund', amount, reason, origin });
}

/** True where the balance was changed: a balance below 0 is never written. */
async function changeBalance(
  transaction: DatabaseTransaction,
  organisationId: string,
  amount: number,
): Promise<boolean> {
  assertTransaction(transaction);
  const { numUpdatedRows } = await transaction
    .updateTable('organisations')
    .set((column) => ({ balance: column('balance', '+', amount) }))
    .where('id', '=', organisationId)
    .where('balance', '>=', -amount)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A movement of credits, and the balance after it. */
interface NewEntry {
  organisationId: string;
  kind: LedgerEntryKind;
  amount: number;
  balance: number;
  jobId: string | null;
  reason: string;
  origin: Origin;
}

/** Appends the entry of a change that the same transaction made, and returns the balance after it. */
async function record(transaction: DatabaseTransaction, entry: Omit<NewEntry, 'balance'>): Promise<number> {
  // The changed row is locked until the commit, so this is the balance that the change left.
  const balance = await balanceOf(transaction, entry.organisationId);
  await insertEntries(transaction, [{ ...entry, balance }]);
  return balance;
}

async function insertEntries(transaction: DatabaseTransaction, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) {
    return;
  }
  const createdAt = Date.now();
  await transaction
    .insertInto('ledger_entries')
    .values(
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
    )
    .execute();
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

/** Credits available to spend. @throws ApiError `not_found` */
export async function balanceOf(database: Database, organisationId: string): Promise<number> {
  const organisation = await database
    .selectFrom('organisations')
    .select('balance')
    .where('id', '=', organisationId)
    .executeTakeFirst();
  if (organisation === undefined) {
    throw new ApiError('not_found', 'There is no such organisation.');
  }
  return organisation.balance;
}

function requirePositive(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits <= 0) {
    throw new RangeError(`credits are a positive whole number, not ${credits}`);
  }
  return credits;
}
