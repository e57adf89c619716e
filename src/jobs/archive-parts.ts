/** What a job's archive consists of. */

import type { ArchivePart } from '../archive/archive.js';
import { segmentKey, tailKey } from './job-files.js';
import type { JobStore } from './job-store.js';

/** The tail that counts. */
export interface Tail {
  attempt: number;
  bytes: number;
}

/** The segments that counted, in order, and the tail. */
export async function archiveParts(store: JobStore, jobId: string, tail: Tail): Promise<ArchivePart[]> {
  const segments = await store.renderedChunks(jobId);
  const parts = segments.map(({ position, segmentBytes, attempt }) => ({
    key: segmentKey(jobId, position, attempt),
    bytes: segmentBytes,
  }));
  return [...parts, { key: tailKey(jobId, tail.attempt), bytes: tail.bytes }];
}
