/** The parts of a job's archive. */

import type { ArchivePart, HeadersPart, StoredPart } from '../../archive/archive.js';
import type { ArchiveSize, JobStore, RenderedSegment } from '../job-store.js';
import { archiveEndKey, segmentIndexKey, segmentKey } from './job-files.js';

/** The stored end that counts, and the length of the headers not stored with it. */
export interface ArchiveEnd extends Pick<ArchiveSize, 'headerBytes' | 'endBytes'> {
  attempt: number;
}

/** The segments that count, in order, then their headers if not stored, then the end. */
export async function archiveParts(store: JobStore, jobId: string, end: ArchiveEnd): Promise<ArchivePart[]> {
  const segments = await store.renderedChunks(jobId);
  const headers = end.headerBytes === 0 ? [] : headerParts(jobId, segments);
  return [...segmentParts(jobId, segments), ...headers, endPart(jobId, end)];
}

function segmentParts(jobId: string, segments: readonly RenderedSegment[]): StoredPart[] {
  return segments.map(({ position, attempt, segmentBytes }) => ({
    key: segmentKey(jobId, position, attempt),
    bytes: segmentBytes,
  }));
}

function headerParts(jobId: string, segments: readonly RenderedSegment[]): HeadersPart[] {
  let offset = 0;
  return segments.map(({ position, attempt, segmentBytes, headerBytes }) => {
    const describes = { segmentIndexKey: segmentIndexKey(jobId, position, attempt), segmentBytes, offset };
    offset += segmentBytes;
    return { describes, bytes: headerBytes };
  });
}

function endPart(jobId: string, { attempt, endBytes }: Pick<ArchiveEnd, 'attempt' | 'endBytes'>): StoredPart {
  return { key: archiveEndKey(jobId, attempt), bytes: endBytes };
}
