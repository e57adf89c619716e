/** Idempotency keys. A request claims its key; the claim becomes the record of the job, or is released. */

import { setTimeout as delay } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import { ApiError } from '../contract/errors.js';
import { HOUR_MS, LIMITS } from '../contract/limits.js';
import { isHeld, sweepTime } from '../database/clock.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteExpired } from '../database/delete-expired.js';
import type { Schema } from '../database/schema.js';
import { isDuplicate, retryConflicts } from '../database/transaction.js';
import { type Job, type JobReceipt, receiptOf } from './job.js';

const ANSWER_MS = LIMITS.idempotencyHours * HOUR_MS;

/**
 * A claim expires this long after its last renewal, so that a dead process keeps no key. A process that was only paused
 * may lose its key: its request is then refused before it is charged.
 */
const LEASE_MS = LIMITS.idempotencyClaimSeconds * 1_000;
const RENEWAL_INTERVAL_MS = LEASE_MS / 3;

/** Delay before a failed release is tried again. Doubles with each attempt. */
const RELEASE_RETRY_MS = 100;

/** A request's claim of its organisation's key. */
export interface Claim {
  organisationId: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
  /** Id of the draft, and of the job it may become. */
  jobId: string;
}

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
  readonly #worker: string;

  /** `worker`: the name of this process. */
  constructor(database: Database, worker: string) {
    this.#database = database;
    this.#worker = worker;
  }

  /**
   * Claims a key. If an earlier request was answered under it, resolves with that. @throws ApiError
   * `request_in_progress`
   */
  async claim(claim: Claim): Promise<AnsweredRequest | undefined> {
    // A claim that failed may be there nevertheless, and would refuse the next request.
    const isFirst = await this.#insert(claim).catch((error: unknown) => {
      void this.#releaseLater(claim);
      throw error;
    });
    if (isFirst) {
      return undefined;
    }
    const record = await this.#database
      .selectFrom('idempotency_records as record')
      .leftJoin('jobs', 'jobs.id', 'record.job_id')
      .select(['record.job_id as jobId', 'fingerprint', 'receipt', 'record.expires_at as expiresAt', 'token'])
      .where('record.organisation_id', '=', claim.organisationId)
      .where('record.key_hash', '=', claim.keyHash)
      .executeTakeFirst();
    // No record: its request was just refused. The next attempt will get the key.
    if (record === undefined) {
      throw requestInProgress();
    }
    const { fingerprint, receipt, expiresAt, token } = record;
    const now = Date.now();
    // By a clock that is in doubt no answer is forgotten: its job would be charged twice.
    const isFree =
      fingerprint === null
        ? !isHeld(expiresAt, now)
        : expiresAt <= now && expiresAt <= (await sweepTime(this.#database));
    if (!isFree && fingerprint !== null && receipt !== null) {
      const answered = JSON.parse(receipt) as JobReceipt;
      // The links of then may be withdrawn.
      return { fingerprint, receipt: { ...answered, token: token ?? answered.token } };
    }
    if (isFree && (await this.#takeOver({ ...claim, jobId: record.jobId }, fingerprint, claim.jobId))) {
      return undefined;
    }
    throw requestInProgress();
  }

  /** Runs `work` while holding the claim. On failure releases the key, unless a job was accepted nevertheless. */
  async hold<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    // A failed renewal is made good by the next one, or by the check when the job is created.
    const renewal = setInterval(() => void this.#renew(claim).catch(() => undefined), RENEWAL_INTERVAL_MS);
    try {
      return await work();
    } catch (error) {
      // Later attempts must not delay the answer.
      await this.#release(claim).catch(() => void this.#releaseLater(claim));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Releases the keys that a dead process claimed. */
  async releaseAll(worker: string): Promise<void> {
    const claims = await this.#database
      .selectFrom('idempotency_records')
      .select(['organisation_id as organisationId', 'key_hash as keyHash', 'job_id as jobId'])
      // Keeps the search to those in flight.
      .where('expires_at', '<=', Date.now() + LEASE_MS)
      .where('worker', '=', worker)
      .where('fingerprint', 'is', null)
      .execute();
    for (const claim of claims) {
      await this.#release(claim);
    }
  }

  /** Deletes records that have expired by `time` (Unix milliseconds). */
  async expire(time: number): Promise<void> {
    await deleteExpired(this.#database, 'idempotency_records', time);
  }

  /** A claim of this process that begins now. */
  #begun(jobId: string) {
    return { ...notAnswered(), job_id: jobId, worker: this.#worker };
  }

  /** False when the key has a record. */
  async #insert({ organisationId, keyHash, jobId }: Claim): Promise<boolean> {
    const row = { organisation_id: organisationId, key_hash: keyHash, ...this.#begun(jobId) };
    try {
      await retryConflicts(() => this.#database.insertInto('idempotency_records').values(row).execute());
      return true;
    } catch (error) {
      if (!isDuplicate(error)) {
        throw error;
      }
      return false;
    }
  }

  /**
   * Replaces an expired record. False when it has changed meanwhile. The condition does not name its time: MySQL would
   * look for it by the index of times, where the rows of others are in the way.
   */
  async #takeOver(expired: Claim, fingerprint: string | null, jobId: string): Promise<boolean> {
    const { numUpdatedRows } = await retryConflicts(() =>
      this.#database
        .updateTable('idempotency_records')
        .set(this.#begun(jobId))
        .where(matches(expired))
        .where('fingerprint', fingerprint === null ? 'is' : '=', fingerprint)
        .executeTakeFirst(),
    );
    return numUpdatedRows === 1n;
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
    await retryConflicts(() =>
      this.#database.deleteFrom('idempotency_records').where(matches(claim)).where('fingerprint', 'is', null).execute(),
    );
  }

  /** Tries to release a claim until it has expired. */
  async #releaseLater(claim: Claim): Promise<void> {
    for (let waitMs = RELEASE_RETRY_MS; waitMs < LEASE_MS; waitMs *= 2) {
      await delay(waitMs, undefined, { ref: false });
      try {
        await this.#release(claim);
        return;
      } catch {
        // The database is still away.
      }
    }
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
  await transaction.updateTable('idempotency_records').set(notAnswered()).where(matches(claim)).execute();
}

function notAnswered() {
  return { fingerprint: null, receipt: null, expires_at: Date.now() + LEASE_MS };
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
