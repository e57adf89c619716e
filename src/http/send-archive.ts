/** Answers a request with a job's archive, or the ranges of it that were asked for. */

import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Archive } from '../archive/archive.js';
import { ApiError } from '../errors.js';
import { type ByteRange, rangesOf } from './byte-range.js';
import { contentRange, multipartRanges } from './multipart-ranges.js';
import { allowsRange, evaluatePreconditions, type Validators } from './preconditions.js';

const ZIP = 'application/zip';

/** Time to begin the download; what has begun goes on. */
const URL_SECONDS = 300;

/**
 * Answers with what was asked for, or sends the client on to the store where that hands archives out itself.
 * @param filename of ASCII letters, digits, `-`, `_` and `.` @throws ApiError `precondition_failed`, `range_not_satisfiable`
 */
export async function sendArchive(ctx: Context, archive: Archive, filename: string): Promise<void> {
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
  if (ctx.method === 'GET' && !dependsOnTag(ctx, validators)) {
    const url = await archive.urlInStore({ seconds: URL_SECONDS, filename, mediaType: ZIP });
    if (url !== undefined) {
      redirect(ctx, url);
      return;
    }
  }
  const content = contentOf(archive, wantedRanges(ctx, archive, validators));
  ctx.status = content.status;
  if (ctx.method === 'GET') {
    ctx.body = content.read();
  }
  ctx.set({ ...content.headers, 'Content-Disposition': `attachment; filename="${filename}"` });
  ctx.length = content.bytes;
}

/** Whether it names the archive's version as this service does: the client would say the same to the store, which knows it by another tag. */
function dependsOnTag(ctx: Context, validators: Validators): boolean {
  const ifRange = ctx.get('If-Range');
  return ctx.get('If-Match') !== '' || (ifRange !== '' && allowsRange(ifRange, validators));
}

function redirect(ctx: Context, url: string): void {
  for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) {
    ctx.remove(name);
  }
  ctx.status = 307;
  // Whoever has the URL has the archive, for as long as it holds.
  ctx.set({ Location: url, 'Cache-Control': 'no-store' });
  ctx.body = '';
  ctx.remove('Content-Type');
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
