/** Reads the chunks of a job: where their input and their segments are. `JobStore` and `LeaseStore` change them. */

import type { Database } from '../database/connection.js';
import type { ChunkRange, RenderChunkReport } from '../engine/engine.js';
import type { Verification } from '../engine/verify-chunk.js';
import type { SpoolPlace } from './files/job-files.js';

/** Sizes of a chunk's stored files, from the engine's report. */
type SegmentSize = Pick<RenderChunkReport, 'segmentBytes' | 'indexBytes' | 'entries' | 'headerBytes'>;

/** Outcome of a chunk: rendered, or given up with all its items. */
export interface ChunkResult {
  status: 'done' | 'failed';
  completed: number;
  failed: number;
  segment: SegmentSize;
  verification: Verification;
  /** Length of the stored readings. 0: there are none. */
  readingsBytes: number;
  /** Time at which the attempt began. */
  startedAt: number;
}

/** A chunk's segment, and the attempt that wrote it. */
export interface RenderedSegment extends SegmentSize {
  position: number;
  attempt: number;
}

/** A chunk of an ended job: its items, the place of their input, and the attempt that counted. */
export interface ChunkPlace extends ChunkRange, SpoolPlace {
  position: number;
  /** 0: it was drawn while it was checked, and its files are rows of the database. */
  attempt: number;
  /** 0 when none of its items was drawn. */
  segmentBytes: number;
  /** 0 when its codes were not read back. */
  readingsBytes: number;
}

export class ChunkStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async rendered(jobId: string): Promise<RenderedSegment[]> {
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

  /** All chunks in order, or only the one that contains item number `item`. */
  async places(jobId: string, item?: number): Promise<ChunkPlace[]> {
    let query = this.#database
      .selectFrom('chunks')
      .innerJoin('jobs', 'jobs.id', 'chunks.job_id')
      .innerJoin('chunks as first', 'first.job_id', 'chunks.job_id')
      .select(['chunks.position', 'chunks.attempt', 'chunks.segment_bytes as segmentBytes'])
      .select('chunks.readings_bytes as readingsBytes')
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
}
