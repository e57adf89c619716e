/** Sends documents that clients request repeatedly, and answers 304 when they have not changed (RFC 9110, section 13). */

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { entityTagOf } from '../jobs/archive/archive.js';
import { BodyAbortedError } from '../jobs/intake/received-bytes.js';

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

export function tagged(type: string, content: string | Buffer): TaggedDocument {
  return { type, content, etag: entityTagOf(typeof content === 'string' ? content : content.toString('latin1')) };
}

export function sendResource(ctx: Context, resource: object): void {
  sendTagged(ctx, tagged('application/json', JSON.stringify(resource)));
}

export function sendTagged(ctx: Context, { type, content, etag }: TaggedDocument): void {
  if (answersUnchanged(ctx, { etag })) {
    return;
  }
  ctx.type = type;
  ctx.body = content;
}

/** Sets the validators of a resource. Answers 304 and returns true when the client has this version already. */
export function answersUnchanged(ctx: Context, validators: Validators): boolean {
  const { etag, lastModified } = validators;
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

/** All three forms of an HTTP date (RFC 9110, section 5.6.7) begin with a day's name; the time follows. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]*\d\d:\d\d:\d\d/;

/**
 * True when a GET or HEAD is answered with 304, in the order of RFC 9110, section 13.2.2. A malformed date counts as
 * absent.
 */
function isNotModified(ctx: Context, { etag, lastModified }: Validators): boolean {
  const ifNoneMatch = ctx.get('If-None-Match');
  if (ifNoneMatch !== '') {
    // Weak comparison (section 8.8.3.2).
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.some((tag) => tag === '*' || tag === etag);
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
export async function begun(ctx: Context, body: Readable): Promise<Readable> {
  // Keeps an error from being thrown before the body is sent: whoever sends it meets it then.
  body.on('error', () => undefined);
  const giveUp = () => void body.destroy(new BodyAbortedError('The client went away before the first bytes'));
  ctx.res.once('close', giveUp);
  try {
    await once(body, 'readable');
  } catch (error) {
    // They describe the body, not the error.
    for (const header of ['Accept-Ranges', 'ETag', 'Last-Modified']) {
      ctx.remove(header);
    }
    throw error;
  } finally {
    ctx.res.off('close', giveUp);
  }
  return body;
}

/** Does work whose outcome only this client waits for. The signal is aborted if the client disconnects meanwhile. */
export async function untilGone<T>(ctx: Context, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const giveUp = () => gone.abort(new BodyAbortedError('The client went away before the first bytes'));
  ctx.res.once('close', giveUp);
  try {
    return await work(gone.signal);
  } finally {
    ctx.res.off('close', giveUp);
  }
}
