/** Holds the pictures that are kept against the index of their segment. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { SegmentChecker } from '../engine/in-process.js';
import { segmentIndexKey, segmentKey } from '../jobs/files/job-files.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { JobRows } from './verify-store.js';

/** Reads the pictures of a job, segment by segment, and names the damaged ones. */
export async function contentProblems(rows: JobRows, storage: BlobStore): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, position, attempt, segment_bytes: segmentBytes, index_bytes: indexBytes } of rows) {
    if (position !== null && attempt !== null && segmentBytes && indexBytes) {
      const key = segmentKey(id, position, attempt);
      try {
        const index = await buffer(storage.read(segmentIndexKey(id, position, attempt), 0, indexBytes - 1));
        const damage = await damageOf(index, storage.read(key, 0, segmentBytes - 1));
        problems.push(...(damage === null ? [] : [`${key}: ${damage}`]));
      } catch (error) {
        problems.push(`${key}: ${(error as Error).message}`);
      }
    }
  }
  return problems;
}

/** Names the first file whose header, name or data are not as the index says, in half a sentence. Null when all are. */
async function damageOf(index: Buffer, segment: Readable): Promise<string | null> {
  const checker = new SegmentChecker(index);
  try {
    for await (const piece of segment) {
      const damage = checker.push(piece as Buffer);
      if (damage !== null) {
        return damage;
      }
    }
    return checker.finish();
  } finally {
    segment.destroy();
  }
}
