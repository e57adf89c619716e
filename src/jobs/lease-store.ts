/**
 * Leases: a process claims a chunk, or the finishing of an archive, for a limited time and as a new attempt. The
 * attempt's number is the fencing token: it is part of the names of the files written, and only the outcome of the
 * latest attempt counts. So a process that was paused until its lease expired changes nothing when it resumes.
 *
 * Times are Unix milliseconds by the caller's clock. Clocks that differ only cost work done twice.
 */

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { FARTHEST_CLAIM_MS, isHeld } from '../database/clock.js';
import type { Database } from '../database/connection.js';
import { isBehind } from '../database/keyset.js';
import type { Schema } from '../database/schema.js';
import type { ChunkRange } from '../engine/engine.js';
import type { SpoolPlace } from './files/job-files.js';

/** The right to work on a chunk, or to finish an archive (`chunk` absent). */
export interface Lease {
  jobId: string;
  chunk?: number | undefined;
  attempt: number;
}

/** A claimed chunk: its items, and the place of its input. */
export interface ClaimedChunk extends ChunkRange, SpoolPlace {
  attempt: number;
  /** Items of the job, and how many of them are to be read back. */
  total: number;
  verifyItems: number;
}

/** Another process holds it until then. */
export interface Busy {
  busyUntil: number;
}

/** The last attempt, and its holder. */
interface Held {
  attempt: number;
  worker: string | null;
  leasedUntil: number | null;
}

export type UnfinishedStatus = 'processing' | 'zipping';

/** An unfinished job. `isFinishFree`: no process holds the finishing of its archive. */
export interface UnfinishedJob {
  id: string;
  organisationId: string;
  createdAt: number;
  isFinishFree: boolean;
}

type Condition<Table extends 'chunks' | 'jobs'> = (row: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>;

export class LeaseStore {
  readonly #database: Database;
  /** The name under which this process holds leases. No other process ever has it. */
  readonly worker: string;
  readonly #isOnlyProcess: boolean;

  /** `isOnlyProcess`: there is no other process. */
  constructor(database: Database, worker: string, isOnlyProcess = false) {
    this.#database = database;
    this.worker = worker;
    this.#isOnlyProcess = isOnlyProcess;
  }

  /** Claims a chunk until `until`. Undefined when it has an outcome or its job has ended. */
  async claimChunk(jobId: string, position: number, until: number): Promise<ClaimedChunk | Busy | undefined> {
    return this.#claim(
      until,
      () => this.#pendingChunk(jobId, position),
      (attempt) =>
        this.#database
          .updateTable('chunks')
          .set({ attempt: attempt + 1, worker: this.worker, leased_until: until })
          .where('job_id', '=', jobId)
          .where('position', '=', position)
          .where('status', '=', 'pending')
          .where('attempt', '=', attempt)
          .executeTakeFirst(),
    );
  }

  /** Claims the finishing of a `zipping` job until `until`. Undefined when there is nothing to finish. */
  async claimFinish(jobId: string, until: number): Promise<{ attempt: number } | Busy | undefined> {
    return this.#claim(
      until,
      () =>
        this.#database
          .selectFrom('jobs')
          .select(['finish_attempt as attempt', 'finish_worker as worker', 'finish_leased_until as leasedUntil'])
          .where('id', '=', jobId)
          .where('status', '=', 'zipping')
          .executeTakeFirst(),
      (attempt) =>
        this.#database
          .updateTable('jobs')
          .set({ finish_attempt: attempt + 1, finish_worker: this.worker, finish_leased_until: until })
          .where('id', '=', jobId)
          .where('status', '=', 'zipping')
          .where('finish_attempt', '=', attempt)
          .executeTakeFirst(),
    );
  }

  /**
   * Claims until `until` what `read` finds. Reads again when another process was first.
   * @param begin begins the attempt after this one, unless somebody else has begun it
   */
  async #claim<Row extends Held>(
    until: number,
    read: () => Promise<Row | undefined>,
    begin: (attempt: number) => Promise<{ numUpdatedRows: bigint }>,
  ): Promise<Omit<Row, 'worker' | 'leasedUntil'> | Busy | undefined> {
    for (;;) {
      const now = Date.now();
      const row = await read();
      if (row === undefined) {
        return undefined;
      }
      const { worker, leasedUntil, ...found } = row;
      const holder = this.#holderOf(worker, leasedUntil, now, until);
      if (holder === 'mine') {
        return found;
      }
      if (holder === 'busy') {
        return { busyUntil: leasedUntil as number };
      }
      if ((await begin(row.attempt)).numUpdatedRows === 1n) {
        return { ...found, attempt: row.attempt + 1 };
      }
    }
  }

  /** Renews leases. One that was lost stays lost, and one that was released meanwhile stays released. */
  renew(leases: readonly Lease[], until: number): Promise<void> {
    return this.#setEnd(leases, until);
  }

  /** Gives a lease back, so that another process can claim it at once. */
  release(lease: Lease): Promise<void> {
    return this.#setEnd([lease], null);
  }

  /** Sets the end of those of the leases that this process still holds. */
  async #setEnd(leases: readonly Lease[], until: number | null): Promise<void> {
    const chunks = leases.flatMap(({ jobId, chunk, attempt }) =>
      chunk === undefined ? [] : [{ job_id: jobId, position: chunk, attempt }],
    );
    const finishes = leases.flatMap(({ jobId, chunk, attempt }) =>
      chunk === undefined ? [{ id: jobId, finish_attempt: attempt }] : [],
    );
    if (chunks.length > 0) {
      await this.#setEndOfChunks((row) => row.or(chunks.map((chunk) => row.and(chunk))), until);
    }
    if (finishes.length > 0) {
      await this.#setEndOfFinishes((row) => row.or(finishes.map((finish) => row.and(finish))), until);
    }
  }

  /** Gives back the chunks of jobs that this process holds, and does not work on. */
  releaseJobs(jobIds: readonly string[]): Promise<void> {
    return this.#setEndOfChunks((row) => row('job_id', 'in', jobIds), null);
  }

  /** Releases everything held by a process that is about to end or known to be dead. */
  async releaseAll(worker = this.worker): Promise<void> {
    const processing = this.#database.selectFrom('jobs').select('id').where('status', '=', 'processing');
    await this.#setEndOfChunks((row) => row('job_id', 'in', processing), null, worker);
    await this.#setEndOfFinishes((row) => row.and([]), null, worker);
  }

  async #setEndOfChunks(which: Condition<'chunks'>, until: number | null, worker = this.worker): Promise<void> {
    await this.#database
      .updateTable('chunks')
      .set({ leased_until: until })
      .where(which)
      .where('status', '=', 'pending')
      .where('worker', '=', worker)
      .where('leased_until', 'is not', null)
      .execute();
  }

  async #setEndOfFinishes(which: Condition<'jobs'>, until: number | null, worker = this.worker): Promise<void> {
    await this.#database
      .updateTable('jobs')
      .set({ finish_leased_until: until })
      .where(which)
      .where('status', '=', 'zipping')
      .where('finish_worker', '=', worker)
      .where('finish_leased_until', 'is not', null)
      .execute();
  }

  /**
   * State of an attempt. `latest`: it may be the one that counts. `overtaken`: a later attempt has begun. `over`: the job
   * is deleted or failed, so that nobody needs its files.
   */
  async attemptState({ jobId, chunk, attempt }: Lease): Promise<'latest' | 'overtaken' | 'over'> {
    const rows = await this.#database
      .selectFrom('jobs')
      .leftJoin('chunks', (join) => join.onRef('chunks.job_id', '=', 'jobs.id').on('chunks.position', '=', chunk ?? -1))
      .select(['jobs.status', 'jobs.finish_attempt as finish', 'chunks.attempt'])
      .where('jobs.id', '=', jobId)
      .executeTakeFirst();
    if (rows === undefined || rows.status === 'failed') {
      return 'over';
    }
    return (chunk === undefined ? rows.finish : rows.attempt) === attempt ? 'latest' : 'overtaken';
  }

  /** At most `limit` jobs in one of the unfinished states, oldest first, after `after`. */
  async unfinished(status: UnfinishedStatus, limit: number, after?: UnfinishedJob): Promise<UnfinishedJob[]> {
    const now = Date.now();
    let query = this.#database
      .selectFrom('jobs')
      .select(['id', 'organisation_id as organisationId', 'created_at as createdAt'])
      .select('finish_leased_until as leasedUntil')
      .where('status', '=', status)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit);
    if (after !== undefined) {
      query = query.where((row) => isBehind(row, '>', ['created_at', after.createdAt], ['id', after.id]));
    }
    return (await query.execute()).map(({ leasedUntil, ...job }) => ({
      ...job,
      isFinishFree: !isHeld(leasedUntil, now),
    }));
  }

  /** The chunks of jobs that have no outcome and no holder, in order. */
  async freeChunks(jobIds: readonly string[]): Promise<{ jobId: string; chunk: number }[]> {
    if (jobIds.length === 0) {
      return [];
    }
    const now = Date.now();
    return this.#database
      .selectFrom('chunks')
      .select(['job_id as jobId', 'position as chunk'])
      .where('job_id', 'in', jobIds)
      .where('status', '=', 'pending')
      .where((row) =>
        row.or([
          row('leased_until', 'is', null),
          row('leased_until', '<=', now),
          row('leased_until', '>', now + FARTHEST_CLAIM_MS),
        ]),
      )
      .orderBy('job_id')
      .orderBy('position')
      .execute();
  }

  async #pendingChunk(jobId: string, position: number) {
    return this.#database
      .selectFrom('chunks')
      .innerJoin('jobs', 'jobs.id', 'chunks.job_id')
      .innerJoin('chunks as first', 'first.job_id', 'chunks.job_id')
      .select(['chunks.first_item as firstItem', 'chunks.item_count as itemCount'])
      .select(['chunks.spool_offset as spoolOffset', 'chunks.spool_bytes as spoolBytes'])
      .select(['chunks.attempt', 'chunks.worker', 'chunks.leased_until as leasedUntil'])
      .select(['first.spool_offset as headerBytes', 'jobs.spool_bytes as jobSpoolBytes'])
      .select(['jobs.total', 'jobs.verify_items as verifyItems'])
      .where('first.position', '=', 0)
      .where('chunks.job_id', '=', jobId)
      .where('chunks.position', '=', position)
      .where('chunks.status', '=', 'pending')
      .where('jobs.status', '=', 'processing')
      .executeTakeFirst();
  }

  /**
   * An own lease is reused while at least half of it is left, since it will be renewed before. If there is no other
   * process, it is reused even when expired: a chunk that waits for long is not claimed again.
   */
  #holderOf(worker: string | null, leasedUntil: number | null, now: number, until: number): 'mine' | 'busy' | 'free' {
    if (leasedUntil === null) {
      return 'free';
    }
    if (worker === this.worker) {
      return this.#isOnlyProcess || leasedUntil - now >= (until - now) / 2 ? 'mine' : 'free';
    }
    return isHeld(leasedUntil, now) ? 'busy' : 'free';
  }
}
