/** Answers a request with a job's archive, or the ranges of it that were asked for. */

import type { Context } from 'koa';
import type { Archive } from '../archive/archive.js';
import { ApiError } from '../errors.js';
import { type ByteRange, rangesOf } from './byte-range.js';
import { contentRange, multipartRanges } from './multipart-ranges.js';
import { allowsRange, evaluatePreconditions, type Validators } from './preconditions.js';

const ZIP = 'application/zip';

/** @param filename of ASCII letters, digits, `-`, `_` and `.` @throws ApiError `precondition_failed`, `range_not_satisfiable` */
export function sendArchive(ctx: Context, archive: Archive, filename: string): void {
  const validators = { etag: archive.entityTag, lastModified: archive.lastModified };
  ctx.set({
    ETag: archive.entityTag,
    'Last-Modified': archive.lastModified.toUTCString(),
    'Accept-Ranges': 'bytes',
    // Stored by nobody but the client, and shown again only after asking: the key may be revoked by then.
    'Cache-Control': 'private, no-cache',
  });
  const verdict = evaluatePreconditions((name) => ctx.get(name), validators);
  if (verdict === 'failed') {
    throw new ApiError('precondition_failed', 'The archive is another version than the request expects.');
  }
  if (verdict === 'not modified') {
    ctx.status = 304;
    return;
  }
  const ranges = wantedRanges(ctx, archive, validators);
  ctx.set('Content-Disposition', `attachment; filename="${filename}"`);
  const [range = { start: 0, end: archive.bytes - 1 }, ...further] = ranges ?? [];
  if (further.length > 0) {
    const body = multipartRanges({ bytes: archive.bytes, mediaType: ZIP, read: archive.read.bind(archive) }, [
      range,
      ...further,
    ]);
    ctx.status = 206;
    ctx.body = body.read();
    ctx.set('Content-Type', body.mediaType);
    ctx.length = body.bytes;
    return;
  }
  ctx.status = 200;
  if (ranges !== undefined) {
    ctx.status = 206;
    ctx.set('Content-Range', contentRange(range, archive.bytes));
  }
  if (ctx.method === 'GET') {
    ctx.body = archive.read(range.start, range.end);
  }
  ctx.type = ZIP;
  ctx.length = range.end - range.start + 1;
}

/** Undefined: the whole. */
function wantedRanges(ctx: Context, { bytes }: Archive, validators: Validators): ByteRange[] | undefined {
  // Ranges are defined for GET alone (RFC 9110, section 14.2).
  if (ctx.method !== 'GET' || !allowsRange(ctx.get('If-Range'), validators)) {
    return undefined;
  }
  const ranges = rangesOf(ctx.get('Range'), bytes);
  if (ranges === 'unsatisfiable') {
    const headers = { 'Content-Range': `bytes */${bytes}` };
    throw new ApiError('range_not_satisfiable', `The archive has ${bytes} bytes.`, {}, headers);
  }
  return ranges;
}
