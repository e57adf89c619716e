/** What became of a job's parts, for people who ask what went wrong. */

import type { Database } from '../database/connection.js';
import type { RenderedChunk } from './files/first-picture.js';

/** Parts with failed items that are named; a page has no room for more. */
const MOST_GAPS = 20;

/** Items in a row of which some, or all, were not drawn. */
export interface Gap {
  /** From 0. */
  firstItem: number;
  itemCount: number;
  failedItems: number;
}

export interface JobReport {
  /** Numbers of chunks. */
  chunks: { done: number; failed: number; pending: number };
  /** The first of the chunks with failed items, in order. */
  gaps: Gap[];
  /** The first chunk that has a picture; undefined while, or since, there is none. */
  firstRendered: RenderedChunk | undefined;
}

export class JobReportStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async report(jobId: string): Promise<JobReport> {
    const [counts, gaps, firstRendered] = await Promise.all([
      this.#database
        .selectFrom('chunks')
        .select(({ fn }) => ['status', fn.countAll<number>().as('chunks')])
        .where('job_id', '=', jobId)
        .groupBy('status')
        .execute(),
      this.#database
        .selectFrom('chunks')
        .select(['first_item as firstItem', 'item_count as itemCount', 'failed_items as failedItems'])
        .where('job_id', '=', jobId)
        .where('failed_items', '>', 0)
        .orderBy('position')
        .limit(MOST_GAPS)
        .execute(),
      this.#database
        .selectFrom('chunks')
        .select(['position', 'segment_bytes as segmentBytes', 'attempt'])
        .where('job_id', '=', jobId)
        .where('status', '=', 'done')
        .where('segment_bytes', '>', 0)
        .orderBy('position')
        .limit(1)
        .executeTakeFirst(),
    ]);
    const count = (status: string) => counts.find((row) => row.status === status)?.chunks ?? 0;
    return { chunks: { done: count('done'), failed: count('failed'), pending: count('pending') }, gaps, firstRendered };
  }
}
