/** Keys of a job's files in the store. */

/** Prefix of all jobs, and of one job. */
export const JOBS_PREFIX = 'jobs';
export const jobPrefix = (jobId: string): string => `${JOBS_PREFIX}/${jobId}`;

export const spoolKey = (jobId: string): string => `${jobPrefix(jobId)}/spool`;
/** The spool of one chunk, in stores that keep one for each. */
export const chunkSpoolKey = (jobId: string, chunk: number): string => `${spoolKey(jobId)}-${numbered(chunk)}`;
/** Of a job that was drawn while it was checked. */
export const smallSpoolKey = (jobId: string): string => `${spoolKey(jobId)}-0`;
/** Any of them. */
export const isSpoolKey = (key: string): boolean => /\/spool(?:-\d+)?$/.test(key);

/** The archive's end as an attempt wrote it: the end of the central directory, or from 4 GiB on all of the directory. */
export const archiveEndKey = (jobId: string, attempt: number): string => `${jobPrefix(jobId)}/archive-end-${attempt}`;

/** A chunk's ZIP segment, and its index, of which its share of the central directory is made, as an attempt wrote them. */
export const segmentKey = (jobId: string, chunk: number, attempt: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}-${attempt}.zip`;
export const segmentIndexKey = (jobId: string, chunk: number, attempt: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}-${attempt}.index`;

function numbered(chunk: number): string {
  return String(chunk).padStart(6, '0');
}
