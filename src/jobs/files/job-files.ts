/**
 * The keys of a job's files in the store, and its spool there: one blob if the engine reads it in place; otherwise one per chunk,
 * so that a chunk costs the store one read of a small blob. A chunk's row has its offsets in the whole spool in both cases.
 */

import type { ChunkRange } from '../../engine/engine.js';
import type { BlobRange, BlobStore } from '../../storage/blob-store.js';

/** Prefix of all jobs, and of one job. */
export const JOBS_PREFIX = 'jobs';
export const jobPrefix = (jobId: string): string => `${JOBS_PREFIX}/${jobId}`;

export const spoolKey = (jobId: string): string => `${jobPrefix(jobId)}/spool`;
/** The spool of one chunk, in stores that keep one per chunk. */
export const chunkSpoolKey = (jobId: string, chunk: number): string => `${spoolKey(jobId)}-${numbered(chunk)}`;
/** The spool of a job that was drawn while it was checked. */
export const smallSpoolKey = (jobId: string): string => `${spoolKey(jobId)}-0`;
/** True for any of these. */
export const isSpoolKey = (key: string): boolean => /\/spool(?:-\d+)?$/.test(key);

/**
 * The end of the archive as written by an attempt: the end of the central directory, or from 4 GiB on the whole
 * directory.
 */
export const archiveEndKey = (jobId: string, attempt: number): string => `${jobPrefix(jobId)}/archive-end-${attempt}`;

/**
 * A chunk's ZIP segment as written by an attempt, and its index, from which its share of the central directory is made.
 */
export const segmentKey = (jobId: string, chunk: number, attempt: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}-${attempt}.zip`;
export const segmentIndexKey = (jobId: string, chunk: number, attempt: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}-${attempt}.index`;

/** The readings of a chunk's items, where its codes were read back. */
export const segmentReadingsKey = (jobId: string, chunk: number, attempt: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}-${attempt}.readings`;

/** The files that an attempt at a chunk, or at the end of the archive, writes. */
export function attemptKeys({
  jobId,
  chunk,
  attempt,
}: {
  jobId: string;
  chunk?: number | undefined;
  attempt: number;
}): string[] {
  return chunk === undefined
    ? [archiveEndKey(jobId, attempt)]
    : [segmentKey, segmentIndexKey, segmentReadingsKey].map((key) => key(jobId, chunk, attempt));
}

function numbered(chunk: number): string {
  return String(chunk).padStart(6, '0');
}

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
