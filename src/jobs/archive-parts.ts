/** What a job's archive consists of. */

import type { ArchivePart, HeadersPart, StoredPart } from '../archive/archive.js';
import { directoryKey, segmentKey, tailKey } from './job-files.js';
import type { ArchiveSize, JobStore, RenderedSegment } from './job-store.js';

/** The tail that counts, and how long the headers are that it does not hold. */
export interface Tail extends Pick<ArchiveSize, 'headerBytes' | 'tailBytes'> {
  attempt: number;
}

/** The segments that counted, in order, their headers where the tail does not hold them, and the tail. */
export async function archiveParts(store: JobStore, jobId: string, tail: Tail): Promise<ArchivePart[]> {
  const segments = await store.renderedChunks(jobId);
  const headers = tail.headerBytes === 0 ? [] : headerParts(jobId, segments);
  return [...segmentParts(jobId, segments), ...headers, tailPart(jobId, tail)];
}

/** All of an archive whose tail holds all headers. */
export async function storedParts(
  store: JobStore,
  jobId: string,
  tail: Pick<Tail, 'attempt' | 'tailBytes'>,
): Promise<StoredPart[]> {
  return [...segmentParts(jobId, await store.renderedChunks(jobId)), tailPart(jobId, tail)];
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
    const describes = { directoryKey: directoryKey(jobId, position, attempt), segmentBytes, offset };
    offset += segmentBytes;
    return { describes, bytes: headerBytes };
  });
}

function tailPart(jobId: string, { attempt, tailBytes }: Pick<Tail, 'attempt' | 'tailBytes'>): StoredPart {
  return { key: tailKey(jobId, attempt), bytes: tailBytes };
}
