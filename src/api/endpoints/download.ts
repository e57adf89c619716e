/** `GET /api/v1/jobs/{jobId}/download` (section 4.4), and the same for a signed URL. */

import { Readable } from 'node:stream';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { Context } from 'koa';
import type { AdmissionControl, Holder } from '../../admission/admission-control.js';
import { withinDownload } from '../../admission/download-pace.js';
import type { Archive } from '../../jobs/archive/archive.js';
import { ApiError } from '../../contract/errors.js';
import { filenameOf, type Job } from '../../jobs/job.js';
import { isLost, LostFilesError } from '../../jobs/job-output.js';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from './job.js';
import { allowsRange, answersUnchanged, whenReadable, type Validators } from '../send-resource.js';
import { BodyAbortedError } from '../../platform/body-aborted-error.js';

export interface DownloadDependencies {
  jobs: Jobs;
  admission: AdmissionControl;
  /** Whose places downloads take. Default: those of the job's organisation. */
  holderOf?: (ctx: RouterContext) => Holder;
}

export function download(find: FindJob, needs: DownloadDependencies): RouterMiddleware {
  const { jobs } = needs;
  return async (ctx) => {
    const job = await find(ctx);
    const validators = jobs.output.archiveValidators(job);
    const isUnchanged = answersUnchanged(ctx, validators);
    const { filename, fallback } = filenameOf(job, 'zip');
    ctx.set('Accept-Ranges', 'bytes');
    // A place is for a body alone: to take one may end a slow download of somebody else.
    if (isUnchanged) {
      // The job may be renamed since.
      ctx.attachment(filename, { fallback });
      return;
    }
    await sendOutput(ctx, find, needs, job, async () => {
      await sendArchive(ctx, await jobs.output.openArchive(job), validators);
      ctx.attachment(filename, { fallback });
    });
    if (ctx.body instanceof Readable) {
      jobs.noteDownload(job);
    }
  };
}

/**
 * Sends something of a job in a place for a download. @throws ApiError `not_found` when the job was deleted before its first bytes were
 * read; LostFilesError
 */
export async function sendOutput(
  ctx: RouterContext,
  find: FindJob,
  { admission, holderOf }: Omit<DownloadDependencies, 'jobs'>,
  { id, organisationId }: Job,
  send: () => Promise<void>,
): Promise<void> {
  const holder = holderOf?.(ctx) ?? { organisationId };
  await withinDownload(ctx, admission, holder, 'download', () =>
    send().catch(async (error: unknown) => {
      if (!(error instanceof ApiError || error instanceof BodyAbortedError)) {
        await find(ctx);
      }
      throw isLost(error) ? new LostFilesError(id, error) : error;
    }),
  );
}

/** @throws ApiError `range_not_satisfiable` */
async function sendArchive(ctx: Context, archive: Archive, validators: Validators): Promise<void> {
  const range = wantedRange(ctx, archive, validators);
  const { start, end } = range ?? { start: 0, end: archive.bytes - 1 };
  if (ctx.method === 'GET') {
    ctx.body = await whenReadable(ctx, archive.read(start, end));
  }
  ctx.status = range === undefined ? 200 : 206;
  ctx.set('Content-Type', 'application/zip');
  if (range !== undefined) {
    ctx.set('Content-Range', `bytes ${start}-${end}/${archive.bytes}`);
  }
  ctx.length = end - start + 1;
}

/** The requested range. Undefined: send the whole. */
function wantedRange(ctx: Context, { bytes }: Archive, validators: Validators): ByteRange | undefined {
  // Ranges are defined only for GET (RFC 9110, section 14.2).
  if (ctx.method !== 'GET' || !allowsRange(ctx.get('If-Range'), validators)) {
    return undefined;
  }
  const range = rangeOf(ctx.get('Range'), bytes);
  if (range === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${bytes}` };
    throw new ApiError('range_not_satisfiable', `The archive has ${bytes} bytes.`, {}, headers);
  }
  return range;
}

/** Bytes `start` to `end`, both inclusive, counted from 0. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * The range of `bytes` bytes that `header` requests. `undefined`: send the whole, because the header is empty,
 * malformed, uses another unit, or requests several ranges (allowed by RFC 9110, section 14.2). `unsatisfiable`: the
 * range begins beyond the end. Own code, because the library for this treats a suffix longer than the whole as
 * unsatisfiable.
 */
function rangeOf(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [isRange, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (isRange === undefined || (first === '' && last === '')) {
    return undefined;
  }
  if (first === '') {
    const suffix = Math.min(Number(last), bytes);
    return suffix === 0 ? 'unsatisfiable' : { start: bytes - suffix, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) {
    return undefined;
  }
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) };
}
