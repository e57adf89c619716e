/** `qrpress submit`: uploads a request body, follows the job with a progress bar, and downloads the archive. */

import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

import { SingleBar } from 'cli-progress';

import { Client } from '../client/client.js';
import { contentTypeOf, formOf, requireFile } from './input-file.js';

export interface SubmitOptions {
  url: string;
  key: string;
  out: string;
  json?: boolean;
}

export interface SubmitReport {
  jobId: string;
  total: number;
  completed: number;
  failed: number;
  creditsCharged: number;
  archive: string;
  archiveBytes: number;
}

/**
 * Runs a job from file to archive. The bar goes to standard error, and only where that is a terminal.
 *
 * @throws RefusedError when the service refuses, Error when the job fails or the archive's folder cannot be written to
 */
export async function submit(file: string, options: SubmitOptions): Promise<SubmitReport> {
  // Before the job is paid for.
  await requireFile(file);
  await access(dirname(options.out), constants.W_OK);
  const client = new Client({ url: options.url, key: options.key });
  const job = await client.submit(file, contentTypeOf(formOf(file)));
  const bar = new SingleBar({
    format: '{phase} [{bar}] {percentage} %  {value} of {total} {unit}',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
  });
  try {
    bar.start(job.total, 0, { phase: 'pressing   ', unit: 'items' });
    const ended = await client.follow(job, (state) => bar.update(state.completed + state.failed));
    if (ended.status === 'failed') throw new Error(`job ${job.jobId} failed; its credits were returned`);
    bar.stop();
    let started = false;
    const archiveBytes = await client.download(job, options.out, (bytes, total) => {
      if (!started) bar.start(total, 0, { phase: 'downloading', unit: 'bytes' });
      started = true;
      bar.update(bytes);
    });
    const { completed, failed, creditsCharged, total } = ended;
    return { jobId: job.jobId, total, completed, failed, creditsCharged, archive: options.out, archiveBytes };
  } finally {
    bar.stop();
  }
}
