/** Where a job's files are: keys in the store, and drafts in the data folder before the job exists. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRowId } from '../../database/row-id.js';

/** Prefix of all jobs, and of one job. */
export const JOBS_PREFIX = 'jobs';
export const jobPrefix = (jobId: string): string => `${JOBS_PREFIX}/${jobId}`;

export const spoolKey = (jobId: string): string => `${jobPrefix(jobId)}/spool`;
/** Where each chunk has a spool of its own. */
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

/**
 * Bodies that are being received, and spools that are not in the store yet. A draft's id is the id of the job that it may
 * become, and its body stays until that is settled: what is stored under an id that has a body here, but no job, is nobody's.
 */
export class DraftFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The body as received. */
  bodyPath(id: string): string {
    return join(this.path, `${id}.body`);
  }

  /** The checked input. */
  spoolPath(id: string): string {
    return join(this.path, `${id}.spool`);
  }

  /** Ids of all drafts; a folder that is missing has none. */
  async list(): Promise<string[]> {
    const names = await readdir(this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = names.map((name) => name.replace(/\.(?:body|spool)$/, '')).filter(isRowId);
    return [...new Set(ids)];
  }

  async remove(id: string): Promise<void> {
    await Promise.all([rm(this.bodyPath(id), { force: true }), rm(this.spoolPath(id), { force: true })]);
  }
}
