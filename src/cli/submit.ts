/**
 * `qrpress submit`: uploads a request body, follows the job with a progress bar, and downloads the archive. When run
 * again, it continues where it stopped.
 */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { constants, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  Client,
  type CreatedJob,
  type JobResource,
  type LabelOptions,
  QrpressError,
  type RawBody,
} from '../client/client.js';
import type { LabelParameters } from '../contract/label-request.js';
import { counted } from '../platform/counted.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import type { FaultyRows } from '../jobs/intake/spreadsheet.js';
import { refuse } from './arguments.js';
import { type ArchiveSummary, countText } from './figures.js';
import { progressBar } from './progress-bar.js';
import {
  checkWrittenBody,
  filesRead,
  type InputOptions,
  reportFaulty,
  reportWarnings,
  requireFile,
  writeBody,
  type WrittenBody,
  noticesOf,
} from './input-file.js';
import { checkLabels } from './labels.js';
import { type OutputFile, outputFile, replace, STANDARD_OUTPUT } from './output.js';
import { scratchFolder } from './scratch-folder.js';
import {
  type BodyPart,
  type JobLimits,
  MAX_SKIPPED,
  rowsOf,
  splitBody,
  wholeLinesOf,
  withoutFaulty,
} from './split-body.js';

export interface SubmitOptions extends InputOptions {
  url: string;
  key: string;
  out: string;
  chunkItems: number;
  fontDir: string | undefined;
  /** Downloads labels instead of the archive. */
  labels?: LabelParameters | undefined;
  /** Default: the limits of the service. */
  limits?: JobLimits;
}

export interface SubmittedJob extends ArchiveSummary {
  jobId: string;
  creditsCharged: number;
}

/** One job, or several with their sums. */
type SubmitReport =
  | SubmittedJob
  | (Pick<SubmittedJob, 'total' | 'completed' | 'failed' | 'creditsCharged' | 'skippedRows'> & {
      jobs: SubmittedJob[];
    });

/** The mode of a partial download: that of the file that it replaces, if there is one, and its owner may go on with it. */
const partMode = ({ mode = 0o666 }: OutputFile) => mode | 0o600;

/** Idempotency keys to try when earlier jobs of the same body failed or were deleted. */
const MAX_KEYS = 20;

/**
 * Runs a job from file to archive. A file that exceeds the limits of a job becomes several, with numbered archives.
 * @throws SpreadsheetRefusal, ApiError when the input is wrong; QrpressError when the service refuses; Error when the job
 * fails, or the archive's folder cannot be written to
 */
export async function submit(file: string, options: SubmitOptions): Promise<SubmitReport> {
  // Checked before the job is paid.
  await requireFile(file);
  const read = filesRead(file, options);
  if (options.out === STANDARD_OUTPUT) refuse('submit cannot write to standard output; name a file');
  const single = await outputFile(options.out, read);
  const { url, key } = options;
  const client = new Client({ url, key });
  // The address may be wrong, and somebody waits to hear it: three seconds, not a minute.
  const creator = new Client({ url, key, attempts: 5 });
  const created: CreatedJob[] = [];
  const scratch = scratchFolder(tmpdir(), () => {
    if (created.length > 0) console.error('\nInterrupted. The same command goes on where it stopped.');
  });
  try {
    const { parts, skippedRows } = await checkedParts(file, options, scratch.path);
    if (parts.length > 1) options.onNotice?.(`The file is over the limits of a job: it becomes ${parts.length} jobs.`);
    const files =
      parts.length === 1
        ? [single]
        : await Promise.all(parts.map((_, index) => outputFile(numbered(options.out, index + 1), read)));
    for (const part of parts) {
      const job = await createJob(creator, part);
      if (job.isReplayed) options.onNotice?.(`Goes on with job ${job.jobId}, which was made earlier.`);
      created.push(job);
    }
    const jobs: SubmittedJob[] = [];
    for (const [index, out] of files.entries()) {
      const job = created[index] as CreatedJob;
      jobs.push(await finish(client, job, out, options.labels && labelsOfJob(options.labels, index)));
    }
    return { ...reportOf(jobs), ...(skippedRows > 0 && { skippedRows }) };
  } finally {
    scratch.remove();
  }
}

/**
 * Checks the input locally first, so that a mistake costs no upload and is reported by row and column. Faulty rows that are
 * left out are not sent.
 */
async function checkedParts(
  file: string,
  options: SubmitOptions,
  folder: string,
): Promise<{ parts: BodyPart[]; skippedRows: number }> {
  const { chunkItems, fontDir, limits, skipFaulty } = options;
  const folders = { readable: [file], writable: [folder] };
  const engine = new EngineSupervisor({ threads: 1, chunkItems, fontDir, folders });
  try {
    const body = await writeBody(engine, file, { ...options, isForSeveralJobs: true }, folder);
    const parts = await splitBody(body, folder, limits);
    const spoolPath = join(folder, 'spool');
    const skipped: FaultyRows[] = [];
    const skips = (faulty: FaultyRows) => skipped.push(faulty) > 0;
    const rows = skipFaulty ? { spoolPath, skips, maxIssues: MAX_SKIPPED } : { spoolPath };
    for (const [index, part] of parts.entries()) {
      const checked = await checkWrittenBody(engine, rowsOf(part, index === 0), rows, options.style).catch(
        (error: unknown) => {
          throw wholeLinesOf(error, part);
        },
      );
      reportWarnings(checked, options);
      if (options.labels !== undefined) {
        const { onNotice } = options;
        await checkLabels({ engine, checked, spoolPath, folder, onNotice }, labelsOfJob(options.labels, index));
      }
      await rm(spoolPath, { force: true });
      if (checked.skipped !== undefined) parts[index] = await withoutFaulty(part, checked.skipped);
    }
    for (const notice of noticesOf(body.report)) options.onNotice?.(notice);
    const skippedRows = skipped.reduce((sum, faulty) => sum + faulty.rows, 0);
    if (skippedRows > 0) {
      const problems = skipped.flatMap((faulty) => faulty.problems);
      const problemCount = skipped.reduce((sum, faulty) => sum + faulty.problemCount, 0);
      reportFaulty({ rows: skippedRows, problems, problemCount }, options);
    }
    return { parts, skippedRows };
  } finally {
    await engine.close();
  }
}

/**
 * Creates the job of a body once. The idempotency key is derived from the body, so that a job that was already paid is
 * found again.
 */
async function createJob(client: Client, body: WrittenBody): Promise<CreatedJob> {
  const digest = createHash('sha256');
  for await (const piece of createReadStream(body.bodyPath)) digest.update(piece as Buffer);
  const key = `submit-${digest.digest('hex')}`;
  const raw = await rawBody(body);
  for (let attempt = 1; ; attempt += 1) {
    const options = { idempotencyKey: attempt === 1 ? key : `${key}-${attempt}` };
    const created = await client.createJobFrom(raw, options).catch(explainUnknown);
    if (!created.isReplayed || (await isOfUse(client, created))) return created;
    if (attempt === MAX_KEYS) throw new Error('too many jobs of this body failed or were deleted within a day');
  }
}

/** @throws the error, in the words of who runs the command */
function explainUnknown(error: unknown): never {
  if (error instanceof QrpressError && error.code === 'outcome_unknown') {
    const message = `the service does not know yet whether it created the job ${String(error.body['jobId'])}; run the same command again: it pays for no second one`;
    throw new Error(message, { cause: error });
  }
  throw error;
}

/** False for a job that failed and was refunded, or was deleted. */
async function isOfUse(client: Client, { jobId }: CreatedJob): Promise<boolean> {
  try {
    return (await client.job(jobId)).status !== 'failed';
  } catch (error) {
    if (error instanceof QrpressError && error.code === 'not_found') return false;
    throw error;
  }
}

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

async function rawBody({ form, bodyPath }: WrittenBody): Promise<RawBody> {
  const { size } = await stat(bodyPath);
  const body = () =>
    Readable.toWeb(createReadStream(bodyPath, { highWaterMark: 1 << 20 })) as ReadableStream<Uint8Array>;
  return { contentType: CONTENT_TYPES[form], body, bytes: size };
}

/** The labels of one of several jobs, each of which has a file of its own. Only the first begins on a used sheet. */
function labelsOfJob({ first, ...labels }: LabelParameters, index: number): LabelParameters {
  return { ...labels, ...(first !== undefined && index === 0 && { first }) };
}

/** Follows a job to its end and downloads its archive or its labels. */
async function finish(
  client: Client,
  { jobId, total }: CreatedJob,
  out: OutputFile,
  labels: LabelParameters | undefined,
): Promise<SubmittedJob> {
  const bar = progressBar('pressing', 'items');
  let ended: JobResource | undefined;
  try {
    bar.start(total, 0);
    for await (const state of client.progress(jobId)) {
      bar.update(state.completed + state.failed);
      ended = state;
    }
  } finally {
    bar.stop();
  }
  if (ended?.status !== 'complete') throw new Error(failureOf(jobId, ended));
  const archiveBytes =
    labels === undefined ? await download(client, jobId, out) : await downloadLabels(client, jobId, { labels, out });
  const { completed, failed, creditsCharged, verified, unread, unreadItems } = ended;
  const { leastUnusedErrorCorrection, leastUnusedItem } = ended;
  return {
    jobId,
    total,
    completed,
    failed,
    creditsCharged,
    verified,
    unread,
    unreadItems,
    leastUnusedErrorCorrection,
    leastUnusedItem,
    archive: out.name,
    archiveBytes,
  };
}

/** The end of a job without an archive, and what became of its credits. */
function failureOf(jobId: string, ended: JobResource | undefined): string {
  if (ended?.reason !== 'cancelled') return `job ${jobId} failed; its credits were returned`;
  const { creditsRefunded = 0, creditsCharged } = ended;
  return `job ${jobId} was cancelled; ${countText(creditsRefunded)} of its ${counted(creditsCharged, 'credit', countText)} were returned`;
}

/**
 * Downloads through `<path>.<job>.part`, which a later download resumes. The file under its final name is always
 * complete.
 */
async function download(client: Client, jobId: string, out: OutputFile): Promise<number> {
  const partPath = `${out.path}.${jobId}.part`;
  let start = await stat(partPath).then(
    ({ size }) => size,
    () => 0,
  );
  const { bytes, stream } = await client.download(jobId, { start }).catch(async (error: unknown) => {
    // Either the download was complete, or the file is not part of this archive.
    if (!(error instanceof QrpressError) || error.status !== 416) throw error;
    await rm(partPath);
    start = 0;
    return client.download(jobId);
  });
  const bar = progressBar('downloading', 'bytes');
  bar.start(bytes, start, { start });
  const body = Readable.fromWeb(stream);
  try {
    // Each byte at its place: another process may go on with the same download, and writes the same bytes.
    const part = await open(partPath, constants.O_WRONLY | constants.O_CREAT, partMode(out));
    // From here on the bytes flow.
    body.on('data', (piece: Uint8Array) => bar.increment(piece.length));
    await pipeline(body, part.createWriteStream({ start }));
  } finally {
    body.destroy();
    bar.stop();
  }
  await replace(out, partPath);
  return bytes;
}

/** Downloads the labels as a whole: the same request gives the same file, but not parts of it. */
async function downloadLabels(
  client: Client,
  jobId: string,
  { labels, out }: { labels: LabelParameters; out: OutputFile },
): Promise<number> {
  const partPath = `${out.path}.${jobId}.part`;
  const stream = await client.labels(jobId, labels as unknown as LabelOptions);
  try {
    await pipeline(Readable.fromWeb(stream), createWriteStream(partPath, { mode: partMode(out) }));
    await replace(out, partPath);
  } finally {
    await rm(partPath, { force: true });
  }
  return (await stat(out.path)).size;
}

/** `codes-2.zip` for `codes.zip`. */
function numbered(path: string, number: number): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${number}${ext}`);
}

function reportOf(jobs: SubmittedJob[]): SubmitReport {
  const [only] = jobs;
  if (only !== undefined && jobs.length === 1) return only;
  const sum = (member: 'total' | 'completed' | 'failed' | 'creditsCharged') =>
    jobs.reduce((before, job) => before + job[member], 0);
  return {
    total: sum('total'),
    completed: sum('completed'),
    failed: sum('failed'),
    creditsCharged: sum('creditsCharged'),
    jobs,
  };
}
