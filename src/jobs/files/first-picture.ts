/** The first picture of a job, read from its segment: available without the whole archive, and before there is one. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MAX_HEADER_BYTES, storedFileAt } from '../../archive/stored-file.js';
import type { BlobStore } from '../../storage/blob-store.js';
import type { RenderedSegment } from '../job-store.js';
import { segmentKey } from './job-files.js';

/** Place of a chunk's segment, which is not empty. */
export type SegmentPlace = Pick<RenderedSegment, 'position' | 'attempt' | 'segmentBytes'>;

export interface FirstPicture {
  /** Name in the archive. Ends in `.png` or `.svg`. */
  name: string;
  bytes: number;
  open: () => Readable;
}

export async function firstPicture(
  storage: BlobStore,
  jobId: string,
  { position, segmentBytes, attempt }: SegmentPlace,
): Promise<FirstPicture> {
  const key = segmentKey(jobId, position, attempt);
  const head = await buffer(storage.read(key, 0, Math.min(MAX_HEADER_BYTES, segmentBytes) - 1));
  const { name, start, end } = storedFileAt(head, 0);
  return { name, bytes: end - start, open: () => storage.read(key, start, end - 1) };
}
