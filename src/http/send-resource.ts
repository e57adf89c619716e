/** Answers with a JSON resource that clients ask for again and again, and need only when it has changed. */

import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { ApiError } from '../errors.js';
import { evaluatePreconditions } from './preconditions.js';

/** @throws ApiError `precondition_failed` */
export function sendResource(ctx: Context, resource: object): void {
  const body = JSON.stringify(resource);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
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
  ctx.type = 'application/json';
  ctx.body = body;
}
