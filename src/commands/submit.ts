/** `qrpress submit`: uploads a request body, follows the job with a progress bar, and downloads the archive. */

import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { SingleBar } from 'cli-progress';

import { Client, type JobResource, type RawBody } from '../client/client.js';
import type { BodyForm } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { checkInput, contentTypeOf, type InputOptions, requireFile } from './input-file.js';

export interface SubmitOptions extends InputOptions {
  url: string;
  key: string;
  out: string;
  chunkItems: number;
  fontDir: string | undefined;
}

export interface SubmitReport {
  jobId: string;
  total: number;
  completed: number;
  failed: number;
  creditsCharged: number;
  /** As the job's status says them, where codes were read back. */
  verified?: number;
  unread?: number;
  unreadItems?: number[];
  archive: string;
  archiveBytes: number;
}

/**
 * Runs a job from file to archive. The bar goes to standard error, and only where that is a terminal.
 *
 * @throws SpreadsheetRefusal, ApiError when the input is wrong, QrpressError when the service refuses, Error when the job fails or the
 *   archive's folder cannot be written to
 */
export async function submit(file: string, options: SubmitOptions): Promise<SubmitReport> {
  // Before the job is paid for.
  await requireFile(file);
  await access(dirname(options.out), constants.W_OK);
  const client = new Client({ url: options.url, key: options.key });
  const job = await upload(client, file, options);
  const bar = new SingleBar({
    format: '{phase} [{bar}] {percentage} %  {value} of {total} {unit}',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
  });
  try {
    bar.start(job.total, 0, { phase: 'pressing   ', unit: 'items' });
    let ended: JobResource | undefined;
    for await (const state of client.progress(job.jobId)) {
      bar.update(state.completed + state.failed);
      ended = state;
    }
    if (ended?.status !== 'complete') throw new Error(`job ${job.jobId} failed; its credits were returned`);
    bar.stop();
    const archiveBytes = await download(client, job.jobId, options.out, bar);
    const { completed, failed, creditsCharged, total, verified, unread, unreadItems } = ended;
    return {
      jobId: job.jobId,
      total,
      completed,
      failed,
      creditsCharged,
      ...(verified !== undefined && { verified }),
      ...(unread !== undefined && { unread }),
      ...(unreadItems !== undefined && { unreadItems }),
      archive: options.out,
      archiveBytes,
    };
  } finally {
    bar.stop();
  }
}

/** Checks the input by the engine of this program first: what is wrong with it costs no upload, and is told by row and column. */
async function upload(client: Client, file: string, options: SubmitOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-submit-'));
  const { chunkItems, fontDir } = options;
  const engine = new EngineSupervisor({ threads: 1, chunkItems, fontDir });
  try {
    const { bodyPath, form } = await checkInput(engine, file, options, folder);
    return await client.createJobFrom(await bodyOf(bodyPath, form));
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bodyOf(file: string, form: BodyForm): Promise<RawBody> {
  const { size } = await stat(file);
  const body = Readable.toWeb(createReadStream(file, { highWaterMark: 1 << 20 })) as RawBody['body'];
  return { contentType: contentTypeOf(form), body, bytes: size };
}

/** Writes the archive through `<out>.part`, so that what is there under its name is whole. */
async function download(client: Client, jobId: string, out: string, bar: SingleBar): Promise<number> {
  const partPath = `${out}.part`;
  const { bytes, stream } = await client.download(jobId);
  bar.start(bytes, 0, { phase: 'downloading', unit: 'bytes' });
  const body = Readable.fromWeb(stream);
  body.on('data', (piece: Uint8Array) => bar.increment(piece.length));
  try {
    await pipeline(body, createWriteStream(partPath));
    await rename(partPath, out);
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  }
  return bytes;
}
