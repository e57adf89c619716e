/**
 * A segment's headers in the archive's central directory, generated from the segment's index on every read. They
 * contain the segment's offset in the archive, which is unknown when the segment is written, and they are three times
 * as long as the index.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Engine } from '../engine/engine.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRange } from '../storage/file-range.js';

export interface DescribedSegment {
  /** Key of the segment's index. */
  segmentIndexKey: string;
  segmentBytes: number;
  /** The segment's offset in the archive. */
  offset: number;
}

export interface SegmentHeadersOptions {
  store: BlobStore;
  engine: Pick<Engine, 'writeHeaders'>;
  /** Folder for temporary files. */
  scratch: string;
}

export class SegmentHeaders {
  readonly #options: SegmentHeadersOptions;

  constructor(options: SegmentHeadersOptions) {
    this.#options = options;
  }

  /**
   * Streams bytes `start` to `end` (inclusive) of the headers. Removes its temporary files when the stream ends or is
   * destroyed.
   */
  read(segment: DescribedSegment, start: number, end: number): Readable {
    return Readable.from(this.#chunks(segment, start, end), { objectMode: false, highWaterMark: 1 });
  }

  async *#chunks({ segmentIndexKey, ...place }: DescribedSegment, start: number, end: number): AsyncGenerator<Buffer> {
    const folder = join(this.#options.scratch, randomBytes(12).toString('hex'));
    await mkdir(folder, { recursive: true });
    try {
      const indexPath = await this.#options.store.materialise(segmentIndexKey, join(folder, 'index'));
      const headersPath = join(folder, 'headers');
      await this.#options.engine.writeHeaders({ ...place, indexPath, headersPath });
      yield* new FileRange(headersPath, start, end) as AsyncIterable<Buffer>;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
