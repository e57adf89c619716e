/** Rows of jobs and their chunks. Every move between states is one UPDATE that says which state it leaves. */

import type { CompiledQuery } from 'kysely';
import { refundJob } from '../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import type { JobFailure, JobRow } from '../database/schema.js';
import { transact } from '../database/transaction.js';
import type { ChunkRange, RenderReport } from '../engine/engine.js';
import { firstUnread, type Verification } from '../engine/verify-chunk.js';
import type { SpoolPlace } from './files/spool-blobs.js';
import { type Job, jobFromRow, unreadItemsOf } from './job.js';
import type { Lease } from './lease-store.js';

/** The outcome of a chunk: rendered, or given up with all its items. */
export interface ChunkResult {
  status: 'done' | 'failed';
  completed: number;
  failed: number;
  segment: SegmentSize;
  verification: Verification;
}

/** Sizes of a chunk's stored files, from the engine's report. */
export type SegmentSize = Pick<RenderReport, 'segmentBytes' | 'indexBytes' | 'entries' | 'headerBytes'>;

/** A chunk's segment, as the attempt wrote it that counted. */
export interface RenderedSegment extends SegmentSize {
  position: number;
  attempt: number;
}

/** A chunk of a job that has ended: its items, where their input lies, and the attempt at it that counted. */
export interface ChunkPlace extends ChunkRange, SpoolPlace {
  position: number;
  attempt: number;
  /** 0 where no item of it was drawn. */
  segmentBytes: number;
}

/** Bytes of a job's archive: of the headers that are made when it is read (0: none are), of the end that is stored, of the whole. */
export interface ArchiveSize {
  headerBytes: number;
  endBytes: number;
  archiveBytes: number;
}

/** The holder of a chunk or an archive, and the end of the lease (Unix milliseconds). */
export interface Holding {
  worker: string;
  until: number;
}

export interface ChunkLease extends Lease {
  chunk: number;
}

/** Called in the transaction that makes a job `complete` or `failed`. */
export type OnEnd = (transaction: DatabaseTransaction, job: Job) => Promise<void>;

export interface JobStoreOptions {
  onEnd?: OnEnd;
}

export class JobStore {
  readonly #database: Database;
  readonly #options: JobStoreOptions;
  /** Compiled once: every poll runs one of them. */
  readonly #finds: { id?: CompiledQuery<JobRow>; token?: CompiledQuery<JobRow> } = {};

  constructor(database: Database, options: JobStoreOptions = {}) {
    this.#database = database;
    this.#options = options;
  }

  /** A job that has not expired, by its id or its token. */
  async find(by: 'id' | 'token', value: string): Promise<Job | undefined> {
    this.#finds[by] ??= compileFind(this.#database, by);
    const query = { ...this.#finds[by], parameters: [value, Date.now()] };
    const [row] = (await this.#database.executeQuery<JobRow>(query)).rows;
    return row && jobFromRow(row);
  }

  /** Those of the ids that are a job's. */
  async existing(ids: readonly string[]): Promise<Set<string>> {
    const rows =
      ids.length === 0 ? [] : await this.#database.selectFrom('jobs').select('id').where('id', 'in', ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Those of the ids that are a job's, for good: a transaction that lost its client may still be about to commit, and this waits
   * for its end at the row that it holds.
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
   * Counts the outcome of a chunk's latest attempt, once. When it was the last chunk the job is now `zipping`, and its
   * archive is finished by `finisher`; by nobody when that is undefined.
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
      const { verified, unread, unreadItems } = result.verification;
      const { numUpdatedRows: counted } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          completed: column('completed', '+', result.completed),
          failed: column('failed', '+', result.failed),
          ...(verified > 0 && {
            verified: column('verified', '+', verified),
            unread: column('unread', '+', unread),
          }),
        }))
        .where('id', '=', jobId)
        .where('status', '=', 'processing')
        .executeTakeFirst();
      if (unread > 0 && counted === 1n) {
        await addUnreadItems(transaction, jobId, unreadItems);
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

  /** The rendered chunks in order. */
  async renderedChunks(jobId: string): Promise<RenderedSegment[]> {
    return this.#database
      .selectFrom('chunks')
      .select(['position', 'attempt', 'entries'])
      .select(['segment_bytes as segmentBytes', 'index_bytes as indexBytes', 'header_bytes as headerBytes'])
      .where('job_id', '=', jobId)
      .where('status', '=', 'done')
      .where('segment_bytes', '>', 0)
      .orderBy('position')
      .execute();
  }

  /** All chunks in order, or the one that holds item number `item`. */
  async chunkPlaces(jobId: string, item?: number): Promise<ChunkPlace[]> {
    let query = this.#database
      .selectFrom('chunks')
      .innerJoin('jobs', 'jobs.id', 'chunks.job_id')
      .innerJoin('chunks as first', 'first.job_id', 'chunks.job_id')
      .select(['chunks.position', 'chunks.attempt', 'chunks.segment_bytes as segmentBytes'])
      .select(['chunks.first_item as firstItem', 'chunks.item_count as itemCount'])
      .select(['chunks.spool_offset as spoolOffset', 'chunks.spool_bytes as spoolBytes'])
      .select(['first.spool_offset as headerBytes', 'jobs.spool_bytes as jobSpoolBytes'])
      .where('first.position', '=', 0)
      .where('chunks.job_id', '=', jobId)
      .orderBy('chunks.position');
    if (item !== undefined) {
      query = query
        .where('chunks.first_item', '<=', item)
        .where((row) => row(row('chunks.first_item', '+', row.ref('chunks.item_count')), '>', item));
    }
    return query.execute();
  }

  /**
   * Moves a job from `zipping` to `complete` with the archive's end of the latest attempt, and returns the credits of its failed
   * items; false when it was not `zipping`, or another attempt has begun.
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
      if (numUpdatedRows === 0n) {
        return false;
      }
      return this.#end(transaction, jobId, 'items failed');
    });
  }

  /**
   * Ends a job as `failed` and returns its whole charge; false when it had ended already.
   * @param lease of whoever says so; false when that was lost
   */
  async fail(jobId: string, failure: JobFailure, lease?: Lease): Promise<boolean> {
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
      return numUpdatedRows === 1n && this.#end(transaction, jobId, 'job failed');
    });
  }

  /**
   * Ends a job as `failed` because somebody cancelled it, and returns the credits of what was not drawn; false when it
   * had ended already.
   */
  async cancel(jobId: string): Promise<boolean> {
    return transact(this.#database, async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set((column) => ({
          status: 'failed' as const,
          failure: 'cancelled' as const,
          failed: column('total', '-', column.ref('completed')),
          credits_refunded: column('total', '-', column.ref('completed')),
          ended_at: Date.now(),
        }))
        .where('id', '=', jobId)
        .where('status', 'in', ['processing', 'zipping'])
        .executeTakeFirst();
      return numUpdatedRows === 1n && this.#end(transaction, jobId, 'job cancelled');
    });
  }

  /** Takes a job that has ended out of everybody's sight; its rows and files are still there. False where there is none. */
  async hide(jobId: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('jobs')
      .set({ expires_at: 0 })
      .where('id', '=', jobId)
      .where('status', 'in', ['complete', 'failed'])
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** The standing of an attempt: `latest`, which may be the one that counts; `overtaken` by another; `deleted` with its job. */
  async standingOf({ jobId, chunk, attempt }: Lease): Promise<'latest' | 'overtaken' | 'deleted'> {
    const rows = await this.#database
      .selectFrom('jobs')
      .leftJoin('chunks', (join) => join.onRef('chunks.job_id', '=', 'jobs.id').on('chunks.position', '=', chunk ?? -1))
      .select(['jobs.finish_attempt as finish', 'chunks.attempt'])
      .where('jobs.id', '=', jobId)
      .executeTakeFirst();
    if (rows === undefined) {
      return 'deleted';
    }
    return (chunk === undefined ? rows.finish : rows.attempt) === attempt ? 'latest' : 'overtaken';
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

  /** Does what goes with a job's end: returns the credits that its row says were returned, and tells whoever wants to know. */
  async #end(transaction: DatabaseTransaction, jobId: string, reason: string): Promise<true> {
    const row = await transaction.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    const job = jobFromRow(row);
    if (job.creditsRefunded > 0) {
      const refund = { organisationId: job.organisationId, credits: job.creditsRefunded, jobId };
      await refundJob(transaction, refund, reason);
    }
    await this.#options.onEnd?.(transaction, job);
    return true;
  }
}

/** The query for a job that has not expired; its parameters are the value and the time. */
function compileFind(database: Database, by: 'id' | 'token'): CompiledQuery<JobRow> {
  return database.selectFrom('jobs').selectAll().where(by, '=', '').where('expires_at', '>', 0).compile();
}

/** Notes items that could not be read; the row was changed by this transaction, so nobody else changes it. */
async function addUnreadItems(transaction: DatabaseTransaction, jobId: string, unreadItems: number[]): Promise<void> {
  const row = await transaction
    .selectFrom('jobs')
    .select('unread_items')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  const items = firstUnread([...unreadItemsOf(row), ...unreadItems]);
  await transaction
    .updateTable('jobs')
    .set({ unread_items: JSON.stringify(items) })
    .where('id', '=', jobId)
    .execute();
}

/** Locks what the lease is of, and says whether no later attempt has begun. */
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
