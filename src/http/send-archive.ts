/** Answers a request with a job's archive, or the range of it that was asked for. */

import type { Context } from 'koa';
import type { Archive } from '../archive/archive.js';
import { ApiError } from '../errors.js';
import { allowsRange, isFresh, rangeOf } from './byte-range.js';

/** @param filename of ASCII letters, digits, `-`, `_` and `.` @throws ApiError `range_not_satisfiable` */
export function sendArchive(ctx: Context, archive: Archive, filename: string): void {
  const { bytes, entityTag, lastModified } = archive;
  const validators = { etag: entityTag, lastModified: lastModified.getTime() };
  ctx.set({
    ETag: entityTag,
    'Last-Modified': lastModified.toUTCString(),
    'Accept-Ranges': 'bytes',
    // Stored by nobody but the client, and shown again only after asking: the key may be revoked by then.
    'Cache-Control': 'private, no-cache',
  });
  if (isFresh(ctx.get('If-None-Match'), ctx.get('If-Modified-Since'), validators)) {
    ctx.status = 304;
    return;
  }
  // A range is defined for GET alone (RFC 9110, section 14.2).
  const wanted =
    ctx.method === 'GET' && allowsRange(ctx.get('If-Range'), validators) ? rangeOf(ctx.get('Range'), bytes) : undefined;
  if (wanted === 'unsatisfiable') {
    throw new ApiError(
      'range_not_satisfiable',
      `The archive has ${bytes} bytes.`,
      {},
      { 'Content-Range': `bytes */${bytes}` },
    );
  }
  const { start, end } = wanted ?? { start: 0, end: bytes - 1 };
  ctx.status = wanted === undefined ? 200 : 206;
  if (wanted !== undefined) {
    ctx.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  }
  ctx.set('Content-Disposition', `attachment; filename="${filename}"`);
  if (ctx.method === 'GET') {
    ctx.body = archive.read(start, end);
  }
  ctx.type = 'application/zip';
  ctx.length = end - start + 1;
}
