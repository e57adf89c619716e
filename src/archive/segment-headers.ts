/**
 * A segment's headers in the archive's central directory, generated from the segment's index on every read. They
 * contain the segment's offset in the archive, which is unknown when the segment is written, and they are three times
 * as long as the index.
 */

import { join } from 'node:path';
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

/** Sources of the parts of an archive. */
export interface ArchiveSources {
  storage: BlobStore;
  engine: Pick<Engine, 'writeHeaders'>;
  /** Folder for temporary files. */
  scratch: string;
}

/** Yields bytes `start` to `end` (inclusive) of the headers. Removes its temporary files at the end. */
export async function* segmentHeaders(
  { storage, engine, scratch }: ArchiveSources,
  { segmentIndexKey, ...place }: DescribedSegment,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  await using folder = await temporaryFolder(scratch);
  const indexPath = await storage.materialise(segmentIndexKey, join(folder.path, 'index'));
  const headersPath = join(folder.path, 'headers');
  await engine.writeHeaders({ ...place, indexPath, headersPath });
  yield* new FileRange(headersPath, start, end) as AsyncIterable<Buffer>;
}
