/** Rows of jobs and their chunks. Every move between states is one UPDATE that says which state it leaves. */

import { chargeJob, type Origin, refundJob } from '../credits/ledger.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import type { ChunkRange, RenderReport } from '../render/engine.js';
import type { OnComplete } from './completion-mail.js';
import { type ClaimedRequest, recordAnswer } from './idempotency-store.js';
import { type Job, jobFromRow } from './job.js';
import type { Lease } from './lease-store.js';

/** Rows of one INSERT; 12 parameters each, of SQLite's 32,766. */
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
  /** Who holds the chunks at first; nobody when absent. */
  holding?: Holding | undefined;
  /** The request's `Idempotency-Key`, if it had one. */
  claim?: ClaimedRequest | undefined;
}

/** What came of a chunk: rendered, or given up with all its items. */
export interface ChunkResult {
  status: 'done' | 'failed';
  completed: number;
  failed: number;
  segment: SegmentSize;
}

/** What is stored of a chunk, as the engine's report says it. */
export type SegmentSize = Pick<RenderReport, 'segmentBytes' | 'directoryBytes' | 'entries' | 'headerBytes'>;

/** A chunk's segment, as the attempt wrote it that counted. */
export interface RenderedSegment extends SegmentSize {
  position: number;
  attempt: number;
}

/** What a job's archive comes to: bytes of the headers that are made when it is read (0: none are), of the tail that is stored, of the whole. */
export interface ArchiveSize {
  headerBytes: number;
  tailBytes: number;
  archiveBytes: number;
}

/** Who holds something, until when (Unix milliseconds). */
export interface Holding {
  worker: string;
  until: number;
}

export interface ChunkLease extends Lease {
  chunk: number;
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
      attempt: job.holding === undefined ? 0 : 1,
      worker: job.holding?.worker ?? null,
      leased_until: job.holding?.until ?? null,
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
          tail_attempt: 0,
          tail_worker: null,
          tail_leased_until: null,
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

  /**
   * Counts the outcome of a chunk's latest attempt, once. When it was the last chunk the job is now `zipping`, and its
   * tail is held as `tail` says; by nobody when that is undefined.
   */
  async countChunk(
    { jobId, chunk, attempt }: ChunkLease,
    result: ChunkResult,
    tail: Holding | undefined,
  ): Promise<'counted' | 'last' | 'refused'> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('chunks')
        .set({
          status: result.status,
          segment_bytes: result.segment.segmentBytes,
          directory_bytes: result.segment.directoryBytes,
          entries: result.segment.entries,
          header_bytes: result.segment.headerBytes,
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
        .set({
          status: 'zipping',
          tail_attempt: tail === undefined ? 0 : 1,
          tail_worker: tail?.worker ?? null,
          tail_leased_until: tail?.until ?? null,
        })
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .where((column) => column(column('completed', '+', column.ref('failed')), '=', column.ref('total')))
        .executeTakeFirst();
      return job.numUpdatedRows === 1n ? 'last' : 'counted';
    });
  }

  /** The rendered chunks in order. */
  async renderedChunks(jobId: string): Promise<RenderedSegment[]> {
    return this.#database
      .selectFrom('chunks')
      .select(['position', 'attempt', 'entries'])
      .select(['segment_bytes as segmentBytes', 'directory_bytes as directoryBytes', 'header_bytes as headerBytes'])
      .where('job_id', '=', jobId)
      .where('status', '=', 'done')
      .where('segment_bytes', '>', 0)
      .orderBy('position')
      .execute();
  }

  /**
   * Moves a job from `zipping` to `complete` with the tail of the latest attempt, and returns the credits of its failed
   * items; false when it was not `zipping`, or another attempt has begun.
   */
  async complete({ jobId, attempt }: Lease, { headerBytes, tailBytes, archiveBytes }: ArchiveSize): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          status: 'complete' as const,
          credits_refunded: column.ref('failed'),
          ...(headerBytes === 0 ? { tail_bytes: tailBytes } : { header_bytes: headerBytes, end_bytes: tailBytes }),
          archive_bytes: archiveBytes,
          ended_at: Date.now(),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'zipping')
        .where('tail_attempt', '=', attempt)
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

  /**
   * Ends a job as `failed` and returns its whole charge; false when it had ended already.
   * @param failure why, for people
   * @param lease of whoever says so; false when that was lost
   */
  async fail(jobId: string, failure: string, lease?: Lease): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      if (lease !== undefined && !(await isLatest(transaction, lease))) {
        return false;
      }
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

  /** What became of an attempt: it is the latest, or even the one that counts; another is; or the job has expired. */
  async standingOf({ jobId, chunk, attempt }: Lease): Promise<'latest' | 'overtaken' | 'deleted'> {
    const rows = await this.#database
      .selectFrom('jobs')
      .leftJoin('chunks', (join) => join.onRef('chunks.job_id', '=', 'jobs.id').on('chunks.position', '=', chunk ?? -1))
      .select(['jobs.tail_attempt as tail', 'chunks.attempt'])
      .where('jobs.id', '=', jobId)
      .executeTakeFirst();
    if (rows === undefined) {
      return 'deleted';
    }
    return (chunk === undefined ? rows.tail : rows.attempt) === attempt ? 'latest' : 'overtaken';
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

/** Locks what the lease is of, and says whether no later attempt has begun. */
async function isLatest(transaction: DatabaseTransaction, { jobId, chunk, attempt }: Lease): Promise<boolean> {
  const update =
    chunk === undefined
      ? transaction
          .updateTable('jobs')
          .set({ tail_attempt: attempt })
          .where('id', '=', jobId)
          .where('tail_attempt', '=', attempt)
      : transaction
          .updateTable('chunks')
          .set({ attempt })
          .where('job_id', '=', jobId)
          .where('position', '=', chunk)
          .where('attempt', '=', attempt);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
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
