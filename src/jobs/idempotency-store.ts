/** Idempotency keys: a request claims its key, becomes the record of what was answered under it, or lets go of it. */

import type { ExpressionBuilder } from 'kysely';
import { ApiError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import type { Schema } from '../database/schema.js';
import { isDuplicate } from '../database/transaction.js';

const ANSWER_MS = LIMITS.idempotencyHours * 3_600_000;

/**
 * A claim ends this long after its last sign of life, so that a process that died keeps no key; one that only stood
 * still loses its key at worst, and its request is then refused before it is charged.
 */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

/** A request's hold of its organisation's key. */
export interface Claim {
  organisationId: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
  /** Id of the draft, and of the job that it may become. */
  jobId: string;
}

/** A request that holds its key, and is known by its body. */
export interface ClaimedRequest extends Claim {
  /** SHA-256 of the request's form and decoded body, hex. */
  fingerprint: string;
}

/** An earlier request with the same key, and the job that it was answered with. */
export interface AnsweredRequest {
  jobId: string;
  fingerprint: string;
}

export class IdempotencyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Claims a key; where an earlier request was answered under it, resolves with that. @throws ApiError `request_in_progress` */
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
      .select(['job_id as jobId', 'fingerprint'])
      .where('organisation_id', '=', organisationId)
      .where('key_hash', '=', keyHash)
      .executeTakeFirst();
    // None: its request was refused a moment ago, and the next attempt will have the key.
    if (record === undefined || record.fingerprint === null) {
      throw requestInProgress();
    }
    return { jobId: record.jobId, fingerprint: record.fingerprint };
  }

  /** Runs `work` while the claim is held; when it fails, the key is free again, unless a job was accepted all the same. */
  async hold<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    // A renewal that fails is made up for by the next one, or by the check in the end.
    const renewal = setInterval(() => void this.#renew(claim).catch(() => undefined), RENEW_EVERY_MS);
    try {
      return await work();
    } catch (error) {
      // While the database is away, the lease runs out.
      await this.#release(claim).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Frees the keys that are held for drafts which nobody works on any more. */
  async releaseDrafts(jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) {
      await this.#database
        .deleteFrom('idempotency_records')
        .where('job_id', 'in', jobIds)
        .where('fingerprint', 'is', null)
        .execute();
    }
  }

  /** Deletes what has expired by `time` (Unix milliseconds). */
  async expire(time: number): Promise<void> {
    await this.#database.deleteFrom('idempotency_records').where('expires_at', '<=', time).execute();
  }

  async #renew(claim: Claim): Promise<void> {
    await this.#database
      .updateTable('idempotency_records')
      .set({ expires_at: Date.now() + LEASE_MS })
      .where(heldBy(claim))
      .where('fingerprint', 'is', null)
      .execute();
  }

  async #release(claim: Claim): Promise<void> {
    await this.#database
      .deleteFrom('idempotency_records')
      .where(heldBy(claim))
      .where('fingerprint', 'is', null)
      .execute();
  }
}

/** Makes a claim the record of its job, in the transaction that creates the job at `createdAt` (Unix milliseconds); false when the claim was lost. */
export async function recordAnswer(
  transaction: DatabaseTransaction,
  { fingerprint, ...claim }: ClaimedRequest,
  createdAt: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('idempotency_records')
    .set({ fingerprint, expires_at: createdAt + ANSWER_MS })
    .where(heldBy(claim))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Undoes `recordAnswer` in the same transaction. */
export async function withdrawAnswer(transaction: DatabaseTransaction, claim: Claim): Promise<void> {
  await transaction
    .updateTable('idempotency_records')
    .set({ fingerprint: null, expires_at: Date.now() + LEASE_MS })
    .where(heldBy(claim))
    .execute();
}

function heldBy({ organisationId, keyHash, jobId }: Claim) {
  return (row: ExpressionBuilder<Schema, 'idempotency_records'>) =>
    row.and({ organisation_id: organisationId, key_hash: keyHash, job_id: jobId });
}

export function requestInProgress(): ApiError {
  return new ApiError(
    'request_in_progress',
    'A request with the same Idempotency-Key is under way; try again soon.',
    {},
    { 'Retry-After': '1' },
  );
}
