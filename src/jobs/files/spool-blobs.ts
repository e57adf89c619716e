/**
 * The spool of a job in the store: one blob if the engine reads it in place; otherwise one per chunk, so that a chunk
 * costs the store one read of a small blob. A chunk's row has its offsets in the whole spool in both cases.
 */

import type { ChunkRange } from '../../engine/engine.js';
import type { BlobRange, BlobStore } from '../../storage/blob-store.js';
import { chunkSpoolKey, smallSpoolKey, spoolKey } from './job-files.js';

/** A chunk's place in the whole spool. The chunks of a job share its header. */
export interface SpoolPlace {
  /** 0 when each chunk has its own spool. */
  jobSpoolBytes: number;
  headerBytes: number;
  spoolOffset: number;
  spoolBytes: number;
}

/** Place of a chunk's input. */
interface ChunkSpool {
  key: string;
  /** The bytes needed. */
  ranges: BlobRange[];
  /** Offset of the chunk's records. */
  spoolOffset: number;
}

/** Stores a checked spool. Returns its size for the job's row. The file may be gone afterwards. */
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

/** `attempt`: the one that counted, if the chunk has been drawn. */
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
