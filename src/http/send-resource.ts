/** Sends documents that clients request repeatedly, and answers 304 when they have not changed. */

import type { Context } from 'koa';
import { entityTagOf } from '../archive/archive.js';
import { isNotModified, type Validators } from './preconditions.js';

/** A document with its entity tag. */
export interface TaggedDocument {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** A strong entity tag, quotes included. */
  etag: string;
}

export function tagged(type: string, text: string): TaggedDocument {
  return { type, text, etag: entityTagOf(text) };
}

export function sendResource(ctx: Context, resource: object): void {
  sendTagged(ctx, tagged('application/json', JSON.stringify(resource)));
}

export function sendTagged(ctx: Context, { type, text, etag }: TaggedDocument): void {
  if (answersUnchanged(ctx, { etag })) {
    return;
  }
  ctx.type = type;
  ctx.body = text;
}

/** Sets the validators of a resource. Answers 304 and returns true when the client has this version already. */
export function answersUnchanged(ctx: Context, validators: Validators): boolean {
  const { etag, lastModified } = validators;
  // Only the client may cache it, and must revalidate: the job may have moved on, or the key may be revoked.
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (lastModified !== undefined) {
    ctx.set('Last-Modified', lastModified.toUTCString());
  }
  if (!isNotModified((name) => ctx.get(name), validators)) {
    return false;
  }
  ctx.status = 304;
  return true;
}
