/**
 * A segment's headers in the archive's central directory, generated from the segment's index on every read. They
 * contain the segment's offset in the archive, which is unknown when the segment is written, and they are three times
 * as long as the index.
 */

import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Engine } from '../engine/engine.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRange } from '../storage/file-range.js';
import { temporaryFolder } from '../temporary-folder.js';

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
    const { store, engine, scratch } = this.#options;
    await using folder = await temporaryFolder(scratch);
    const indexPath = await store.materialise(segmentIndexKey, join(folder.path, 'index'));
    const headersPath = join(folder.path, 'headers');
    await engine.writeHeaders({ ...place, indexPath, headersPath });
    yield* new FileRange(headersPath, start, end) as AsyncIterable<Buffer>;
  }
}
