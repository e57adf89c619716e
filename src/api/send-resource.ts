/** Sends documents that clients request repeatedly: 304 when they have not changed, 412 when others are wanted (RFC 9110, section 13). */

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { ApiError } from '../contract/errors.js';
import type { DocsFile } from './docs/page/docs-site.js';
import { BodyAbortedError } from '../platform/body-aborted-error.js';
import { entityTagOf } from '../platform/entity-tag.js';

/** Identify a version of a representation. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  etag: string;
  /** Absent when unknown. */
  lastModified?: Date;
}

interface TaggedDocument {
  /** Media type, without a charset. */
  type: string;
  content: string | Buffer;
  /** A strong entity tag, quotes included. */
  etag: string;
}

function tagged(type: string, content: string | Buffer): TaggedDocument {
  return { type, content, etag: entityTagOf(typeof content === 'string' ? content : content.toString('latin1')) };
}

export function sendResource(ctx: Context, resource: object): void {
  sendTagged(ctx, tagged('application/json', JSON.stringify(resource)));
}

function sendTagged(ctx: Context, { type, content, etag }: TaggedDocument): void {
  if (answersUnchanged(ctx, { etag })) {
    return;
  }
  ctx.type = type;
  ctx.body = content;
}

/**
 * Sets the validators of a resource. Answers 304 and returns true when the client has this version already. @throws ApiError
 * `precondition_failed` when it wants another one
 */
export function answersUnchanged(ctx: Context, validators: Validators): boolean {
  const { etag, lastModified } = validators;
  if (!isWanted(ctx, validators)) {
    throw new ApiError('precondition_failed', 'There is another version than the one that is asked for.');
  }
  // Only the client may cache it, and must revalidate: the job may have moved on, or the key may be revoked.
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (lastModified !== undefined) {
    ctx.set('Last-Modified', lastModified.toUTCString());
  }
  if (!isNotModified(ctx, validators)) {
    return false;
  }
  ctx.status = 304;
  return true;
}

/** Sends a file whose bytes its tag names, unless the client has it already. */
export async function sendFile(
  ctx: Context,
  { etag, read }: { etag: string; read: () => Readable },
  headers: Record<string, string>,
): Promise<void> {
  if (!answersUnchanged(ctx, { etag })) {
    await sendBody(ctx, read, headers);
  }
}

/** Sends the bytes of a file, to HEAD its headers alone. */
export async function sendBody(ctx: Context, read: () => Readable, headers: Record<string, string>): Promise<void> {
  if (ctx.method === 'GET') {
    ctx.body = await whenReadable(ctx, read());
  }
  ctx.status = 200;
  ctx.set(headers);
}

/** All three forms of an HTTP date (RFC 9110, section 5.6.7) begin with a day's name; the time follows. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]*\d\d:\d\d:\d\d/;

/** True unless the client asks for another version. A malformed date counts as absent. */
function isWanted(ctx: Context, { etag, lastModified }: Validators): boolean {
  const ifMatch = ctx.get('If-Match');
  if (ifMatch !== '') {
    return names(ifMatch, etag);
  }
  const date = httpDate(ctx.get('If-Unmodified-Since'));
  return date === undefined || lastModified === undefined || wholeSeconds(lastModified) <= date;
}

/** True for a list with this entity tag, or a star. */
function names(list: string, etag: string): boolean {
  return list.split(',').some((tag) => ['*', etag].includes(tag.trim()));
}

/**
 * True when a GET or HEAD is answered with 304, in the order of RFC 9110, section 13.2.2. A malformed date counts as
 * absent.
 */
function isNotModified(ctx: Context, { etag, lastModified }: Validators): boolean {
  const ifNoneMatch = ctx.get('If-None-Match');
  if (ifNoneMatch !== '') {
    // Weak comparison (section 8.8.3.2).
    return names(ifNoneMatch.replaceAll('W/"', '"'), etag);
  }
  const date = httpDate(ctx.get('If-Modified-Since'));
  return date !== undefined && lastModified !== undefined && wholeSeconds(lastModified) <= date;
}

/** True when `If-Range` allows a range: it is absent, or matches exactly (strong comparison; section 13.1.5). */
export function allowsRange(ifRange: string, { etag, lastModified }: Validators): boolean {
  const isDate = lastModified !== undefined && httpDate(ifRange) === wholeSeconds(lastModified);
  return ifRange === '' || ifRange === etag || isDate;
}

/** Unix milliseconds. One of the three forms does not name its time zone, GMT. */
function httpDate(text: string): number | undefined {
  const date = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** HTTP dates have no fractions. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

/**
 * Waits for the first bytes of a body, so that the client of a store that is away gets an error object. @throws its error;
 * BodyAbortedError when the client disconnects meanwhile
 */
export async function whenReadable(ctx: Context, body: Readable): Promise<Readable> {
  // Keeps an error from being thrown before the body is sent: whoever sends it meets it then.
  body.on('error', () => undefined);
  const giveUp = () => void body.destroy(new BodyAbortedError('The client went away before the first bytes'));
  ctx.res.once('close', giveUp);
  try {
    await once(body, 'readable');
  } finally {
    ctx.res.off('close', giveUp);
  }
  return body;
}

/**
 * Serves files by path, which do not change while the service runs.
 * @param make is called for the first request: a process that nobody asks starts without them
 */
export function documents(make: () => ReadonlyMap<string, DocsFile>): Middleware {
  let known: ReadonlyMap<string, { headers: Readonly<Record<string, string>>; document: TaggedDocument }> | undefined;
  return (ctx) => {
    known ??= new Map(
      Array.from(make(), ([path, { type, content, headers = {} }]) => [
        path,
        { headers, document: tagged(type, content) },
      ]),
    );
    const found = known.get(ctx.path);
    if (found === undefined) {
      throw new ApiError('not_found', 'There is no such page.');
    }
    ctx.set(found.headers);
    sendTagged(ctx, found.document);
  };
}
