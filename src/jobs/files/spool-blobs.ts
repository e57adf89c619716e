/**
 * The spool of a job in the store: whole where the engine reads it in place; elsewhere there is a spool for each chunk,
 * so that a chunk costs the store one read of a small blob. What is in one of them lies in the whole one as the chunk's row says.
 */

import type { ChunkRange } from '../../engine/engine.js';
import type { BlobRange, BlobStore } from '../../storage/blob-store.js';
import { chunkSpoolKey, smallSpoolKey, spoolKey } from './job-files.js';

/** A chunk's place in the whole spool; chunks of a job share its header. */
export interface SpoolPlace {
  /** 0 where each chunk has a spool of its own. */
  jobSpoolBytes: number;
  headerBytes: number;
  spoolOffset: number;
  spoolBytes: number;
}

/** The input of a chunk. */
export interface ChunkSpool {
  key: string;
  /** The bytes of it that are needed. */
  ranges: BlobRange[];
  /** The offset of the chunk's records. */
  spoolOffset: number;
}

/** Stores a checked spool, and answers with the bytes that the job's row is to say it has. The file may be gone then. */
export async function storeSpool(
  storage: BlobStore,
  {
    jobId,
    path,
    spoolBytes,
    chunks,
  }: { jobId: string; path: string; spoolBytes: number; chunks: readonly ChunkRange[] },
): Promise<number> {
  const [first, ...others] = chunks;
  if (storage.cut === undefined || first === undefined || others.length === 0) {
    await storage.adopt([{ key: spoolKey(jobId), path }]);
    return spoolBytes;
  }
  const header = { offset: 0, bytes: first.spoolOffset };
  const blobs = chunks.map((chunk, position) => ({
    key: chunkSpoolKey(jobId, position),
    ranges: [header, { offset: chunk.spoolOffset, bytes: chunk.spoolBytes }],
  }));
  await storage.cut(path, blobs);
  return 0;
}

/** `attempt`: the one that counted, where the chunk has been drawn. */
export function chunkSpool(
  jobId: string,
  chunk: number,
  { attempt, ...place }: SpoolPlace & { attempt?: number },
): ChunkSpool {
  const { jobSpoolBytes, headerBytes, spoolOffset, spoolBytes } = place;
  const isOwn = jobSpoolBytes === 0;
  const key = attempt === 0 ? smallSpoolKey(jobId) : isOwn ? chunkSpoolKey(jobId, chunk) : spoolKey(jobId);
  if (isOwn || spoolOffset === headerBytes) {
    return { key, ranges: [{ offset: 0, bytes: headerBytes + spoolBytes }], spoolOffset: headerBytes };
  }
  const ranges = [
    { offset: 0, bytes: headerBytes },
    { offset: spoolOffset, bytes: spoolBytes },
  ];
  return { key, ranges, spoolOffset };
}
