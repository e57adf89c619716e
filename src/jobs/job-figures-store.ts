/** Figures about jobs: length of the queue in the whole service, and the outcome of one job. */

import type { Database } from '../database/connection.js';

export interface QueueFigures {
  /** Jobs by their state. */
  processing: number;
  zipping: number;
  /** Chunks without an outcome. */
  chunks: number;
  /** Age in seconds of the oldest job with such a chunk; 0 when there is none. */
  oldestSeconds: number;
}

export interface EndedJob {
  /** Separate from `failed`: a cancelled job does not indicate a problem. */
  outcome: 'complete' | 'failed' | 'cancelled';
  seconds: number;
  creditsRefunded: number;
}

export class JobFiguresStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async queue(now = Date.now()): Promise<QueueFigures> {
    const states = await this.#database
      .selectFrom('jobs')
      .select(({ fn }) => ['status', fn.countAll<number>().as('jobs')])
      .where('status', 'in', ['processing', 'zipping'])
      .groupBy('status')
      .execute();
    const waiting = await this.#database
      .selectFrom('jobs')
      .innerJoin('chunks', 'chunks.job_id', 'jobs.id')
      .select(({ fn }) => [fn.countAll<number>().as('chunks'), fn.min<number | null>('jobs.created_at').as('oldest')])
      .where('jobs.status', '=', 'processing')
      .where('chunks.status', '=', 'pending')
      .executeTakeFirstOrThrow();
    const count = (status: string) => states.find((state) => state.status === status)?.jobs ?? 0;
    return {
      processing: count('processing'),
      zipping: count('zipping'),
      chunks: waiting.chunks,
      oldestSeconds: waiting.oldest === null ? 0 : Math.max(0, now - waiting.oldest) / 1_000,
    };
  }

  /** Undefined when the job is gone or has not ended. */
  async ended(jobId: string): Promise<EndedJob | undefined> {
    const job = await this.#database
      .selectFrom('jobs')
      .select(['status', 'failure', 'created_at', 'ended_at', 'credits_refunded'])
      .where('id', '=', jobId)
      .executeTakeFirst();
    if (job === undefined || job.ended_at === null || (job.status !== 'complete' && job.status !== 'failed')) {
      return undefined;
    }
    const seconds = Math.max(0, job.ended_at - job.created_at) / 1_000;
    const outcome = job.failure === 'cancelled' ? job.failure : job.status;
    return { outcome, seconds, creditsRefunded: job.credits_refunded };
  }
}
