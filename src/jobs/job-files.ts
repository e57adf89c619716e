/** Where a job's files are: keys in the store, and drafts in the data folder before the job exists. */

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRowId } from '../database/row-id.js';

/** Prefix of all jobs, and of one job. */
export const JOBS_PREFIX = 'jobs';
export const jobPrefix = (jobId: string): string => `${JOBS_PREFIX}/${jobId}`;

export const spoolKey = (jobId: string): string => `${jobPrefix(jobId)}/spool`;
export const tailKey = (jobId: string): string => `${jobPrefix(jobId)}/tail`;

/** A chunk's ZIP segment, and its share of the central directory. */
export const segmentKey = (jobId: string, chunk: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}.zip`;
export const directoryKey = (jobId: string, chunk: number): string =>
  `${jobPrefix(jobId)}/segment-${numbered(chunk)}.directory`;

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

  /** Creates the folder where it is missing. */
  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true });
  }

  /** Ids of all drafts. */
  async list(): Promise<string[]> {
    const ids = (await readdir(this.path)).map((name) => name.replace(/\.(?:body|spool)$/, '')).filter(isRowId);
    return [...new Set(ids)];
  }

  async remove(id: string): Promise<void> {
    await Promise.all([rm(this.bodyPath(id), { force: true }), rm(this.spoolPath(id), { force: true })]);
  }
}
