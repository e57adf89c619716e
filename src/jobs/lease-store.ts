/**
 * Leases: a process claims a chunk, or the finishing of a job's archive, for some time and in a new attempt. The attempt's
 * number is the fencing token: it names the files that are written, and only the outcome of the latest attempt counts, so
 * that a process which stood still while its lease ran out changes nothing when it comes back.
 *
 * Times are Unix milliseconds by the clock of whoever asks. Clocks that differ cost work that is done twice, no more.
 */

import type { Database } from '../database/connection.js';
import { isBehind } from '../database/keyset.js';
import type { ChunkRange } from '../engine/engine.js';
import type { SpoolPlace } from './files/spool-blobs.js';

/** A hold of a chunk, or of the finishing of an archive (`chunk` absent). */
export interface Lease {
  jobId: string;
  chunk?: number | undefined;
  attempt: number;
}

/** A chunk that was claimed: its items, and the place of its input. */
export interface ClaimedChunk extends ChunkRange, SpoolPlace {
  attempt: number;
  /** Items of the job, and those of them whose codes are to be read back. */
  total: number;
  verifyItems: number;
}

/** It is in another process's hands, for now until then. */
export interface Busy {
  busyUntil: number;
}

/** The states of a job that has not ended. */
export type UnfinishedStatus = 'processing' | 'zipping';

/** A job that has not ended; `isFinishFree`: nobody finishes its archive, or no longer. */
export interface UnfinishedJob {
  id: string;
  organisationId: string;
  createdAt: number;
  isFinishFree: boolean;
}

export class LeaseStore {
  readonly #database: Database;
  /** The name under which this process holds what it holds; no other process has it, ever. */
  readonly worker: string;
  readonly #isSole: boolean;

  /** `isSole`: there is no other process. */
  constructor(database: Database, worker: string, isSole = false) {
    this.#database = database;
    this.worker = worker;
    this.#isSole = isSole;
  }

  /** Claims a chunk until `until`; undefined when it has an outcome, or its job has ended. */
  async claimChunk(jobId: string, position: number, until: number): Promise<ClaimedChunk | Busy | undefined> {
    for (;;) {
      const now = Date.now();
      const row = await this.#pendingChunk(jobId, position);
      if (row === undefined) {
        return undefined;
      }
      const { worker, leasedUntil, ...chunk } = row;
      const standing = this.#standing(worker, leasedUntil, now, until);
      if (standing === 'mine') {
        return chunk;
      }
      if (standing === 'busy') {
        return { busyUntil: leasedUntil as number };
      }
      const { numUpdatedRows } = await this.#database
        .updateTable('chunks')
        .set({ attempt: chunk.attempt + 1, worker: this.worker, leased_until: until })
        .where('job_id', '=', jobId)
        .where('position', '=', position)
        .where('status', '=', 'pending')
        .where('attempt', '=', chunk.attempt)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        return { ...chunk, attempt: chunk.attempt + 1 };
      }
    }
  }

  /** Claims the finishing of a job that is `zipping` until `until`; undefined when there is nothing to finish. */
  async claimFinish(jobId: string, until: number): Promise<{ attempt: number } | Busy | undefined> {
    for (;;) {
      const now = Date.now();
      const row = await this.#database
        .selectFrom('jobs')
        .select(['finish_attempt as attempt', 'finish_worker as worker', 'finish_leased_until as leasedUntil'])
        .where('id', '=', jobId)
        .where('status', '=', 'zipping')
        .executeTakeFirst();
      if (row === undefined) {
        return undefined;
      }
      const { worker, leasedUntil, attempt } = row;
      const standing = this.#standing(worker, leasedUntil, now, until);
      if (standing === 'mine') {
        return { attempt };
      }
      if (standing === 'busy') {
        return { busyUntil: leasedUntil as number };
      }
      const { numUpdatedRows } = await this.#database
        .updateTable('jobs')
        .set({ finish_attempt: attempt + 1, finish_worker: this.worker, finish_leased_until: until })
        .where('id', '=', jobId)
        .where('status', '=', 'zipping')
        .where('finish_attempt', '=', attempt)
        .executeTakeFirst();
      if (numUpdatedRows === 1n) {
        return { attempt: attempt + 1 };
      }
    }
  }

  /** Holds on to leases; one that was lost stays lost. */
  async renew(leases: readonly Lease[], until: number): Promise<void> {
    const chunks = leases.flatMap(({ jobId, chunk, attempt }) =>
      chunk === undefined ? [] : [{ job_id: jobId, position: chunk, attempt }],
    );
    const finishes = leases.flatMap(({ jobId, chunk, attempt }) =>
      chunk === undefined ? [{ id: jobId, finish_attempt: attempt }] : [],
    );
    if (chunks.length > 0) {
      await this.#database
        .updateTable('chunks')
        .set({ leased_until: until })
        .where((row) => row.or(chunks.map((chunk) => row.and({ ...chunk, status: 'pending', worker: this.worker }))))
        .execute();
    }
    if (finishes.length > 0) {
      await this.#database
        .updateTable('jobs')
        .set({ finish_leased_until: until })
        .where((row) =>
          row.or(finishes.map((finish) => row.and({ ...finish, status: 'zipping', finish_worker: this.worker }))),
        )
        .execute();
    }
  }

  /** Lets go of everything that a process holds which is about to end, or known to be dead. */
  async releaseAll(worker = this.worker): Promise<void> {
    const processing = this.#database.selectFrom('jobs').select('id').where('status', '=', 'processing');
    await this.#database
      .updateTable('chunks')
      .set({ leased_until: null })
      .where('job_id', 'in', processing)
      .where('status', '=', 'pending')
      .where('worker', '=', worker)
      .execute();
    await this.#database
      .updateTable('jobs')
      .set({ finish_leased_until: null })
      .where('status', '=', 'zipping')
      .where('finish_worker', '=', worker)
      .execute();
  }

  /** Jobs in one of the states before their end, oldest first, at most `limit` of those after `after`. */
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
      // The first condition says nothing new, but is what databases find the place in the index by.
      query = query
        .where('created_at', '>=', after.createdAt)
        .where((row) => isBehind(row, '>', ['created_at', after.createdAt], ['id', after.id]));
    }
    return (await query.execute()).map(({ leasedUntil, ...job }) => ({
      ...job,
      isFinishFree: leasedUntil === null || leasedUntil <= now,
    }));
  }

  /** The chunks of jobs that have no outcome and that nobody holds, in order. */
  async freeChunks(jobIds: readonly string[]): Promise<{ jobId: string; chunk: number }[]> {
    if (jobIds.length === 0) {
      return [];
    }
    return this.#database
      .selectFrom('chunks')
      .select(['job_id as jobId', 'position as chunk'])
      .where('job_id', 'in', jobIds)
      .where('status', '=', 'pending')
      .where((row) => row.or([row('leased_until', 'is', null), row('leased_until', '<=', Date.now())]))
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
   * An own lease is used as long as half of it is left: a renewal comes sooner. Where no other process could take it, it is used
   * also when it ran out: what waits long is not claimed again.
   */
  #standing(worker: string | null, leasedUntil: number | null, now: number, until: number): 'mine' | 'busy' | 'free' {
    if (leasedUntil === null) {
      return 'free';
    }
    if (worker === this.worker) {
      return this.#isSole || leasedUntil - now >= (until - now) / 2 ? 'mine' : 'free';
    }
    return leasedUntil > now ? 'busy' : 'free';
  }
}
