/** Answers with a document that clients ask for again and again, and need only when it has changed. */

import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { isNotModified } from './preconditions.js';

/** A document and what tells its versions apart. */
export interface TaggedDocument {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** A strong entity tag, quotes included. */
  etag: string;
}

export function tagged(type: string, text: string): TaggedDocument {
  return { type, text, etag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` };
}

export function sendResource(ctx: Context, resource: object): void {
  sendTagged(ctx, tagged('application/json', JSON.stringify(resource)));
}

export function sendTagged(ctx: Context, { type, text, etag }: TaggedDocument): void {
  // Shown again only after asking: the next moment there is more progress.
  ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (isNotModified((name) => ctx.get(name), { etag })) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = text;
}
