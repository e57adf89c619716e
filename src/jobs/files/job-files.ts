/** Keys of a job's files in the store. */

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

function numbered(chunk: number): string {
  return String(chunk).padStart(6, '0');
}
