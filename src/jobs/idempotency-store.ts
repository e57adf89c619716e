/** Idempotency keys. A request claims its key; the claim becomes the record of the job, or is released. */

import type { ExpressionBuilder } from 'kysely';
import { ApiError } from '../contract/errors.js';
import { HOUR_MS, LIMITS } from '../contract/limits.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteExpired } from '../database/delete-expired.js';
import type { Schema } from '../database/schema.js';
import { isDuplicate } from '../database/transaction.js';
import { type Job, type JobReceipt, receiptOf } from './job.js';

const ANSWER_MS = LIMITS.idempotencyHours * HOUR_MS;

/**
 * A claim expires this long after its last renewal, so that a dead process keeps no key. A process that was only paused
 * may lose its key: its request is then refused before it is charged.
 */
const LEASE_MS = 30_000;
const RENEWAL_INTERVAL_MS = 10_000;

/** A request's claim of its organisation's key. */
export interface Claim {
  organisationId: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
  /** Id of the draft, and of the job it may become. */
  jobId: string;
}

/** A claim together with the fingerprint of the request's body. */
export interface ClaimedRequest extends Claim {
  /** SHA-256 of the request's form and decoded body, hex. */
  fingerprint: string;
}

/** An earlier request with the same key, and what it was answered. */
export interface AnsweredRequest {
  fingerprint: string;
  receipt: JobReceipt;
}

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Claims a key. If an earlier request was answered under it, resolves with that. @throws ApiError
   * `request_in_progress`
   */
  async claim({ organisationId, keyHash, jobId }: Claim): Promise<AnsweredRequest | undefined> {
    await this.#database
      .deleteFrom('idempotency_records')
      .where('organisation_id', '=', organisationId)
      .where('key_hash', '=', keyHash)
      .where('expires_at', '<=', Date.now())
      .execute();
    try {
      await this.#database
        .insertInto('idempotency_records')
        .values({
          organisation_id: organisationId,
          key_hash: keyHash,
          job_id: jobId,
          fingerprint: null,
          receipt: null,
          expires_at: Date.now() + LEASE_MS,
        })
        .execute();
      return undefined;
    } catch (error) {
      if (!isDuplicate(error)) {
        throw error;
      }
    }
    const record = await this.#database
      .selectFrom('idempotency_records')
      .select(['fingerprint', 'receipt'])
      .where('organisation_id', '=', organisationId)
      .where('key_hash', '=', keyHash)
      .executeTakeFirst();
    // No record: its request was just refused. The next attempt will get the key.
    if (record === undefined || record.fingerprint === null || record.receipt === null) {
      throw requestInProgress();
    }
    return { fingerprint: record.fingerprint, receipt: JSON.parse(record.receipt) as JobReceipt };
  }

  /** Runs `work` while holding the claim. On failure releases the key, unless a job was accepted nevertheless. */
  async hold<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    // A failed renewal is made good by the next one, or by the check when the job is created.
    const renewal = setInterval(() => void this.#renew(claim).catch(() => undefined), RENEWAL_INTERVAL_MS);
    try {
      return await work();
    } catch (error) {
      // If the database is unavailable, the claim expires.
      await this.#release(claim).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Releases the keys claimed for abandoned drafts. */
  async releaseDrafts(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) {
      await this.#database
        .deleteFrom('idempotency_records')
        .where('job_id', 'in', jobIds)
        .where('fingerprint', 'is', null)
        .execute();
    }
  }

  /** Deletes records that have expired by `time` (Unix milliseconds). */
  async expire(time: number): Promise<void> {
    await deleteExpired(this.#database, 'idempotency_records', time);
  }

  async #renew(claim: Claim): Promise<void> {
    await this.#database
      .updateTable('idempotency_records')
      .set({ expires_at: Date.now() + LEASE_MS })
      .where(matches(claim))
      .where('fingerprint', 'is', null)
      .execute();
  }

  async #release(claim: Claim): Promise<void> {
    await this.#database
      .deleteFrom('idempotency_records')
      .where(matches(claim))
      .where('fingerprint', 'is', null)
      .execute();
  }
}

/** Turns a claim into the record of its job, in the transaction that creates the job. False when the claim was lost. */
export async function recordAnswer(
  transaction: DatabaseTransaction,
  { fingerprint, ...claim }: ClaimedRequest,
  job: Job,
): Promise<boolean> {
  const receipt = JSON.stringify(receiptOf(job));
  const { numUpdatedRows } = await transaction
    .updateTable('idempotency_records')
    .set({ fingerprint, receipt, expires_at: job.createdAt + ANSWER_MS })
    .where(matches(claim))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Reverts `recordAnswer` in the same transaction. */
export async function withdrawAnswer(transaction: DatabaseTransaction, claim: Claim): Promise<void> {
  await transaction
    .updateTable('idempotency_records')
    .set({ fingerprint: null, receipt: null, expires_at: Date.now() + LEASE_MS })
    .where(matches(claim))
    .execute();
}

function matches({ organisationId, keyHash, jobId }: Claim) {
  return (row: ExpressionBuilder<Schema, 'idempotency_records'>) =>
    row.and({ organisation_id: organisationId, key_hash: keyHash, job_id: jobId });
}

export function requestInProgress(): ApiError {
  return new ApiError(
    'request_in_progress',
    'A request with the same Idempotency-Key is in progress; try again soon.',
    {},
    { 'Retry-After': '1' },
  );
}
