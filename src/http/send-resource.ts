/** Answers with a document that clients ask for again and again, and need only when it has changed. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { ApiError } from '../errors.js';
import { evaluatePreconditions } from './preconditions.js';

/** A document and what tells its versions apart. */
export interface TaggedDocument {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** A strong entity tag, quotes included. */
  etag: string;
}

export function tagged(type: string, text: string): TaggedDocument {
  return { type, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}

/** @throws ApiError `precondition_failed` */
export function sendResource(ctx: Context, resource: object): void {
  sendTagged(ctx, tagged('application/json', JSON.stringify(resource)));
}

/** @throws ApiError `precondition_failed` */
export function sendTagged(ctx: Context, { type, text, etag }: TaggedDocument): void {
  // Shown again only after asking: the next moment there is more progress.
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  const verdict = evaluatePreconditions((name) => ctx.get(name), { etag });
  if (verdict === 'failed') {
    throw new ApiError('precondition_failed', 'The resource is another version than the request expects.');
  }
  if (verdict === 'not modified') {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = text;
}
