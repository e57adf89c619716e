/** The parts of a job's archive. */

import type { ArchivePart, HeadersPart } from '../archive/archive.js';
import type { ArchiveSize, JobStore, RenderedSegment } from '../job-store.js';
import { archiveEndKey, segmentIndexKey, segmentKey } from './job-files.js';

/** The stored end that counts, and the length of the headers not stored with it. */
interface ArchiveEnd extends Pick<ArchiveSize, 'headerBytes' | 'endBytes'> {
  attempt: number;
}

/** The segments that count, in order, then their headers if not stored, then the end. */
export async function archiveParts(
  store: JobStore,
  jobId: string,
  { attempt: endAttempt, headerBytes, endBytes }: ArchiveEnd,
): Promise<ArchivePart[]> {
  const rendered = await store.renderedChunks(jobId);
  const segments = rendered.map(({ position, attempt, segmentBytes }) => ({
    key: segmentKey(jobId, position, attempt),
    bytes: segmentBytes,
  }));
  const headers = headerBytes === 0 ? [] : headerParts(jobId, rendered);
  return [...segments, ...headers, { key: archiveEndKey(jobId, endAttempt), bytes: endBytes }];
}

function headerParts(jobId: string, rendered: readonly RenderedSegment[]): HeadersPart[] {
  let offset = 0;
  return rendered.map(({ position, attempt, segmentBytes, headerBytes }) => {
    const describes = { segmentIndexKey: segmentIndexKey(jobId, position, attempt), segmentBytes, offset };
    offset += segmentBytes;
    return { describes, bytes: headerBytes };
  });
}
