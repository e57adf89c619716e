/** Answers a request with a job's archive, or the ranges of it that were asked for. */

import type { Readable } from 'node:stream';
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
  const content = contentOf(archive, wantedRanges(ctx, archive, validators));
  ctx.status = content.status;
  if (ctx.method === 'GET') {
    ctx.body = content.read();
  }
  ctx.set({ ...content.headers, 'Content-Disposition': `attachment; filename="${filename}"` });
  ctx.length = content.bytes;
}

/** What is sent of an archive. */
interface Content {
  status: 200 | 206;
  headers: Record<string, string>;
  bytes: number;
  read: () => Readable;
}

function contentOf(archive: Archive, ranges: readonly ByteRange[] = []): Content {
  const { bytes } = archive;
  const [range, ...others] = ranges;
  if (range === undefined) {
    return { status: 200, headers: { 'Content-Type': ZIP }, bytes, read: () => archive.read() };
  }
  if (others.length > 0) {
    const representation = { bytes, mediaType: ZIP, read: (start: number, end: number) => archive.read(start, end) };
    const body = multipartRanges(representation, ranges);
    return { ...body, status: 206, headers: { 'Content-Type': body.mediaType } };
  }
  const { start, end } = range;
  return {
    status: 206,
    headers: { 'Content-Type': ZIP, 'Content-Range': contentRange(range, bytes) },
    bytes: end - start + 1,
    read: () => archive.read(start, end),
  };
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
