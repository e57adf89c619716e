/** Rows of jobs and their chunks. Every move between states is one UPDATE that says which state it leaves. */

import { chargeJob, type Origin, refundJob } from '../credits/ledger.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import type { ChunkRange } from '../render/engine.js';
import type { OnComplete } from './completion-mail.js';
import { type ClaimedRequest, recordAnswer } from './idempotency-store.js';
import { type Job, jobFromRow } from './job.js';

/** Rows of one INSERT; 9 parameters each, of SQLite's 32,766. */
const ROWS_PER_INSERT = 1_000;

export interface NewJob {
  id: string;
  token: string;
  organisationId: string;
  /** Who makes it: a key or a person. */
  origin: Origin;
  sendEmail: boolean;
  /** Items, each of which costs one credit. */
  total: number;
  spoolBytes: number;
  /** In order. */
  chunks: readonly ChunkRange[];
  createdAt: number;
  expiresAt: number;
  /** The request's `Idempotency-Key`, if it had one. */
  claim?: ClaimedRequest | undefined;
}

/** What came of a chunk: rendered, or given up with all its items. */
export interface ChunkResult {
  status: 'done' | 'failed';
  completed: number;
  failed: number;
  segmentBytes: number;
}

/** A chunk, and how long the header is that its spool begins with. */
export interface SpoolPart extends ChunkRange {
  headerBytes: number;
}

export class JobStore {
  readonly #database: Database;
  readonly #onComplete: OnComplete | undefined;

  constructor(database: Database, onComplete?: OnComplete) {
    this.#database = database;
    this.#onComplete = onComplete;
  }

  /** Charges for a job and creates it, or does nothing. @throws ApiError `insufficient_credits`, `request_in_progress` */
  async create(job: NewJob): Promise<void> {
    const chunks = job.chunks.map((chunk, position) => ({
      job_id: job.id,
      position,
      status: 'pending' as const,
      first_item: chunk.firstItem,
      item_count: chunk.itemCount,
      spool_offset: chunk.spoolOffset,
      spool_bytes: chunk.spoolBytes,
      segment_bytes: 0,
      failed_items: 0,
    }));
    await transact(this.#database, async (transaction) => {
      // First, so that the organisation's row is locked before rows that refer to it are made.
      await chargeJob(transaction, {
        organisationId: job.organisationId,
        jobId: job.id,
        credits: job.total,
        origin: job.origin,
      });
      await transaction
        .insertInto('jobs')
        .values({
          id: job.id,
          token: job.token,
          organisation_id: job.organisationId,
          status: 'processing',
          send_email: job.sendEmail ? 1 : 0,
          total: job.total,
          completed: 0,
          failed: 0,
          credits_charged: job.total,
          credits_refunded: 0,
          spool_bytes: job.spoolBytes,
          tail_bytes: null,
          archive_bytes: null,
          failure: null,
          created_at: job.createdAt,
          ended_at: null,
          expires_at: job.expiresAt,
        })
        .execute();
      for (let first = 0; first < chunks.length; first += ROWS_PER_INSERT) {
        await transaction
          .insertInto('chunks')
          .values(chunks.slice(first, first + ROWS_PER_INSERT))
          .execute();
      }
      if (job.claim !== undefined) {
        await recordAnswer(transaction, job.claim, job.createdAt);
      }
    });
  }

  /** A job that has not expired, by its id or its token. */
  async find(by: 'id' | 'token', value: string): Promise<Job | undefined> {
    const row = await this.#database
      .selectFrom('jobs')
      .selectAll()
      .where(by, '=', value)
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    return row && jobFromRow(row);
  }

  /** Which of these ids are a job's. */
  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows =
      ids.length === 0 ? [] : await this.#database.selectFrom('jobs').select('id').where('id', 'in', ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Jobs that have not ended, oldest first. */
  async unfinished(): Promise<Pick<Job, 'id' | 'organisationId' | 'status'>[]> {
    return this.#database
      .selectFrom('jobs')
      .select(['id', 'organisation_id as organisationId', 'status'])
      .where('status', 'in', ['processing', 'zipping'])
      .orderBy('created_at')
      .execute();
  }

  /** Positions of a job's chunks that have no outcome yet, in order. */
  async pendingChunks(jobId: string): Promise<number[]> {
    const rows = await this.#database
      .selectFrom('chunks')
      .select('position')
      .where('job_id', '=', jobId)
      .where('status', '=', 'pending')
      .orderBy('position')
      .execute();
    return rows.map(({ position }) => position);
  }

  /** A chunk's range and the spool's header that it needs, unless it has an outcome or its job has ended. */
  async pendingChunk(jobId: string, position: number): Promise<SpoolPart | undefined> {
    return this.#database
      .selectFrom('chunks')
      .innerJoin('jobs', 'jobs.id', 'chunks.job_id')
      .innerJoin('chunks as first', 'first.job_id', 'chunks.job_id')
      .select(['chunks.first_item as firstItem', 'chunks.item_count as itemCount'])
      .select(['chunks.spool_offset as spoolOffset', 'chunks.spool_bytes as spoolBytes'])
      .select('first.spool_offset as headerBytes')
      .where('first.position', '=', 0)
      .where('chunks.job_id', '=', jobId)
      .where('chunks.position', '=', position)
      .where('chunks.status', '=', 'pending')
      .where('jobs.status', '=', 'processing')
      .executeTakeFirst();
  }

  /** Counts a chunk's outcome, once; true when it was the last one and the job is now `zipping`. */
  async countChunk(jobId: string, position: number, result: ChunkResult): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const chunk = await transaction
        .updateTable('chunks')
        .set({ status: result.status, segment_bytes: result.segmentBytes, failed_items: result.failed })
        .where('job_id', '=', jobId)
        .where('position', '=', position)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      if (chunk.numUpdatedRows === 0n) {
        return false;
      }
      await transaction
        .updateTable('jobs')
        .set((column) => ({
          completed: column('completed', '+', result.completed),
          failed: column('failed', '+', result.failed),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .execute();
      const job = await transaction
        .updateTable('jobs')
        .set({ status: 'zipping' })
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .where((column) => column(column('completed', '+', column.ref('failed')), '=', column.ref('total')))
        .executeTakeFirst();
      return job.numUpdatedRows === 1n;
    });
  }

  /** The rendered chunks in order. */
  async renderedChunks(jobId: string): Promise<{ position: number; segmentBytes: number }[]> {
    return this.#database
      .selectFrom('chunks')
      .select(['position', 'segment_bytes as segmentBytes'])
      .where('job_id', '=', jobId)
      .where('status', '=', 'done')
      .where('segment_bytes', '>', 0)
      .orderBy('position')
      .execute();
  }

  /** Moves a job from `zipping` to `complete` and returns the credits of its failed items; false when it was not `zipping`. */
  async complete(jobId: string, archive: { tailBytes: number; archiveBytes: number }): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          status: 'complete' as const,
          credits_refunded: column.ref('failed'),
          tail_bytes: archive.tailBytes,
          archive_bytes: archive.archiveBytes,
          ended_at: Date.now(),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'zipping')
        .executeTakeFirst();
      if (numUpdatedRows === 0n) {
        return false;
      }
      await refund(transaction, jobId, 'items failed');
      const job = await transaction.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
      await this.#onComplete?.(transaction, jobFromRow(job));
      return true;
    });
  }

  /** Ends a job as `failed` and returns its whole charge; false when it had ended already. @param failure why, for people */
  async fail(jobId: string, failure: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          status: 'failed' as const,
          failure,
          failed: column('total', '-', column.ref('completed')),
          credits_refunded: column.ref('credits_charged'),
          ended_at: Date.now(),
        }))
        .where('id', '=', jobId)
        .where('status', 'in', ['processing', 'zipping'])
        .executeTakeFirst();
      return numUpdatedRows === 1n && refund(transaction, jobId, 'job failed');
    });
  }

  /** Ids of jobs that expired by `time` (Unix milliseconds). */
  async expired(time: number): Promise<string[]> {
    const rows = await this.#database.selectFrom('jobs').select('id').where('expires_at', '<=', time).execute();
    return rows.map(({ id }) => id);
  }

  /** Deletes the rows of a job and its chunks; its ledger entries stay. */
  async remove(jobId: string): Promise<void> {
    await this.#database.deleteFrom('jobs').where('id', '=', jobId).execute();
  }
}

/** Returns the credits that the job's row says were returned. */
async function refund(transaction: DatabaseTransaction, jobId: string, reason: string): Promise<true> {
  const job = await transaction
    .selectFrom('jobs')
    .select(['organisation_id as organisationId', 'credits_refunded as credits'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  if (job.credits > 0) {
    await refundJob(transaction, { ...job, jobId }, reason);
  }
  return true;
}
