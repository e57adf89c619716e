/** Rows of jobs and chunks. Every state transition is one UPDATE whose condition names the previous state. */

import { sql } from 'kysely';
import { refundJob } from '../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { folded } from '../database/folded.js';
import { isBehind } from '../database/keyset.js';
import type { JobFailure } from '../database/schema.js';
import { newRowId } from '../database/row-id.js';
import { statement } from '../database/statement.js';
import { transact } from '../database/transaction.js';
import { merged, type Verification } from '../engine/verify-chunk.js';
import { type Job, jobFromRow, verificationColumns, verificationFromRow } from './job.js';
import type { ChunkResult } from './chunk-store.js';
import type { Lease } from './lease-store.js';

/**
 * Sizes of a job's archive. `headerBytes`: headers generated on reading (0: none). `endBytes`: the stored end.
 * `archiveBytes`: the whole.
 */
export interface ArchiveSize {
  headerBytes: number;
  endBytes: number;
  archiveBytes: number;
}

/** The process that holds a chunk or an archive, and the end of its lease (Unix milliseconds). */
export interface Holding {
  worker: string;
  until: number;
}

export interface ChunkLease extends Lease {
  chunk: number;
}

/** A job that nobody sees any more. */
export interface ExpiredJob {
  id: string;
  expiresAt: number;
}

/** Called in the transaction that makes jobs `complete` or `failed`. */
export type OnEnd = (transaction: DatabaseTransaction, jobs: readonly Job[]) => Promise<void>;

/** Records who changed a job, in the transaction that changes it. */
export type RecordChange = (transaction: DatabaseTransaction) => Promise<void>;

export class JobStore {
  readonly #database: Database;
  readonly #onEnd: OnEnd | undefined;

  constructor(database: Database, onEnd?: OnEnd) {
    this.#database = database;
    this.#onEnd = onEnd;
  }

  /** An unexpired job, by its id or its token. */
  async find(by: 'id' | 'token', value: string): Promise<Job | undefined> {
    const [row] = (await selectJobBy[by](this.#database, { value, now: Date.now() })).rows;
    return row && jobFromRow(row);
  }

  /**
   * The ids of committed jobs. It asks by an UPDATE that changes nothing: that waits at the row's lock for an open transaction,
   * which may still commit, even if its client is gone.
   */
  async committed(ids: readonly string[]): Promise<Set<string>> {
    const committed = new Set<string>();
    for (const id of ids) {
      const { numUpdatedRows } = await this.#database
        .updateTable('jobs')
        .set((column) => ({ expires_at: column.ref('expires_at') }))
        .where('id', '=', id)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        committed.add(id);
      }
    }
    return committed;
  }

  /**
   * Records the outcome of a chunk's latest attempt, once. After the last chunk the job becomes `zipping`, with
   * `finisher` as the first holder of its archive, if given.
   */
  async countChunk(
    { jobId, chunk, attempt }: ChunkLease,
    result: ChunkResult,
    finisher: Holding | undefined,
  ): Promise<'counted' | 'last' | 'refused'> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('chunks')
        .set({
          status: result.status,
          segment_bytes: result.segment.segmentBytes,
          index_bytes: result.segment.indexBytes,
          entries: result.segment.entries,
          header_bytes: result.segment.headerBytes,
          readings_bytes: result.readingsBytes,
          failed_items: result.failed,
        })
        .where('job_id', '=', jobId)
        .where('position', '=', chunk)
        .where('status', '=', 'pending')
        .where('attempt', '=', attempt)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        return 'refused';
      }
      const { numUpdatedRows: counted } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          completed: column('completed', '+', result.completed),
          failed: column('failed', '+', result.failed),
          started_at: column.fn.coalesce('started_at', column.val(result.startedAt)),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .executeTakeFirst();
      if (counted === 0n) {
        // The job was cancelled or failed meanwhile.
        return 'refused';
      }
      if (result.verification.verified > 0) {
        await addVerification(transaction, jobId, result.verification);
      }
      const job = await transaction
        .updateTable('jobs')
        .set({
          status: 'zipping',
          finish_attempt: finisher === undefined ? 0 : 1,
          finish_worker: finisher?.worker ?? null,
          finish_leased_until: finisher?.until ?? null,
        })
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .where((column) => column(column('completed', '+', column.ref('failed')), '=', column.ref('total')))
        .executeTakeFirst();
      return job.numUpdatedRows === 1n ? 'last' : 'counted';
    });
  }

  /**
   * Moves a job from `zipping` to `complete` with the archive end that the latest attempt wrote, and returns the
   * credits of its failed items. False when the job was not `zipping`, or a later attempt has begun.
   */
  async complete({ jobId, attempt }: Lease, { headerBytes, endBytes, archiveBytes }: ArchiveSize): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          status: 'complete' as const,
          credits_refunded: column.ref('failed'),
          header_bytes: headerBytes,
          end_bytes: endBytes,
          archive_bytes: archiveBytes,
          ended_at: Date.now(),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'zipping')
        .where('finish_attempt', '=', attempt)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        await this.#end(transaction, jobId, 'items failed');
      }
      return numUpdatedRows === 1n;
    });
  }

  /**
   * Ends a job as `failed` and returns its charge: of a cancelled job that of the items not drawn, otherwise the whole.
   * False when it had already ended.
   * @param options.lease of the caller; if it was lost, the result is false
   * @param options.record part of the transaction, if the job ends by it
   */
  async fail(
    jobId: string,
    failure: JobFailure,
    { lease, record }: { lease?: Lease; record?: RecordChange | undefined } = {},
  ): Promise<boolean> {
    const isCancelled = failure === 'cancelled';
    return transact(this.#database, async (transaction) => {
      if (lease !== undefined && !(await isLatest(transaction, lease))) {
        return false;
      }
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => {
          const notDrawn = column('total', '-', column.ref('completed'));
          return {
            status: 'failed' as const,
            failure,
            failed: notDrawn,
            credits_refunded: isCancelled ? notDrawn : column.ref('credits_charged'),
            ended_at: Date.now(),
          };
        })
        .where('id', '=', jobId)
        .where('status', 'in', ['processing', 'zipping'])
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        await this.#end(transaction, jobId, isCancelled ? 'job cancelled' : 'job failed');
        await record?.(transaction);
      }
      return numUpdatedRows === 1n;
    });
  }

  /** @param record part of the transaction */
  async rename(jobId: string, name: string, record: RecordChange): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await transaction
        .updateTable('jobs')
        .set({ name, folded_name: folded(name) })
        .where('id', '=', jobId)
        .execute();
      await record(transaction);
    });
  }

  /** Signed links have the token in them: the ones before no longer work. @param record part of the transaction */
  async renewToken(jobId: string, record: RecordChange): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await transaction.updateTable('jobs').set({ token: newRowId() }).where('id', '=', jobId).execute();
      await record(transaction);
    });
  }

  /** Records the first download. Later ones change nothing. */
  async markDownloaded(jobId: string): Promise<void> {
    await this.#database
      .updateTable('jobs')
      .set({ downloaded_at: Date.now() })
      .where('id', '=', jobId)
      .where('downloaded_at', 'is', null)
      .execute();
  }

  /**
   * Hides an ended job. Its rows and files still exist. False when there is no such job.
   * @param record part of the transaction, if the job is hidden by it
   */
  async hide(jobId: string, record?: RecordChange): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ expires_at: 0 })
        .where('id', '=', jobId)
        .where('status', 'in', ['complete', 'failed'])
        .where('expires_at', '>', Date.now())
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        await record?.(transaction);
      }
      return numUpdatedRows === 1n;
    });
  }

  /** Up to `limit` jobs behind `last` that expired by `time` (Unix milliseconds), those first that expired first. */
  async expired(time: number, limit: number, last?: ExpiredJob): Promise<ExpiredJob[]> {
    let query = this.#database
      .selectFrom('jobs')
      .select(['id', 'expires_at as expiresAt'])
      .where('expires_at', '<=', time)
      .orderBy('expires_at')
      .orderBy('id');
    if (last !== undefined) {
      query = query.where((row) => isBehind(row, '>', ['expires_at', last.expiresAt], ['id', last.id]));
    }
    return query.limit(limit).execute();
  }

  /** Deletes the rows of a job and its chunks. Its ledger entries stay. */
  async remove(jobId: string): Promise<void> {
    await this.#database.deleteFrom('jobs').where('id', '=', jobId).execute();
  }

  /**
   * Completes a job's end: refunds the credits that its row says were returned, and calls `onEnd`. Called only by the
   * transaction whose UPDATE ended the job.
   */
  async #end(transaction: DatabaseTransaction, jobId: string, reason: string): Promise<void> {
    const row = await transaction.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    const job = jobFromRow(row);
    if (job.creditsRefunded > 0) {
      const refund = { organisationId: job.organisationId, credits: job.creditsRefunded, jobId };
      await refundJob(transaction, refund, reason);
    }
    await this.#onEnd?.(transaction, [job]);
  }
}

/** Every poll runs one of them. */
const selectJobBy = { id: selectJob('id'), token: selectJob('token') };

function selectJob(by: 'id' | 'token') {
  return statement((database, { value, now }: { value: string; now: number }) =>
    database.selectFrom('jobs').selectAll().where(by, '=', value).where('expires_at', '>', now).limit(sql.lit(1)),
  );
}

/** Adds what was read of a chunk to its job. This transaction has already locked the row by changing it. */
async function addVerification(transaction: DatabaseTransaction, jobId: string, ofChunk: Verification): Promise<void> {
  const row = await transaction
    .selectFrom('jobs')
    .select(['verified', 'unread', 'unread_items', 'unused_error_correction'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('jobs')
    .set(verificationColumns(merged(verificationFromRow(row), ofChunk)))
    .where('id', '=', jobId)
    .execute();
}

/** Locks the row that the lease is about. True when no later attempt has begun. */
async function isLatest(transaction: DatabaseTransaction, { jobId, chunk, attempt }: Lease): Promise<boolean> {
  const update =
    chunk === undefined
      ? transaction
          .updateTable('jobs')
          .set({ finish_attempt: attempt })
          .where('id', '=', jobId)
          .where('finish_attempt', '=', attempt)
      : transaction
          .updateTable('chunks')
          .set({ attempt })
          .where('job_id', '=', jobId)
          .where('position', '=', chunk)
          .where('attempt', '=', attempt);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}
