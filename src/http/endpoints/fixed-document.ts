/** Documents that stay the same while the service runs: `GET /api/v1/openapi.json`, `GET /docs` and the guides below it. */

import type { Middleware } from 'koa';
import type { RouterMiddleware } from '@koa/router';
import { ApiError } from '../../contract/errors.js';
import { sendTagged, tagged } from '../send-resource.js';

export interface FixedDocument {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** Headers beside those of every document. */
  headers?: Readonly<Record<string, string>>;
}

export function fixedDocument({ type, text, headers = {} }: FixedDocument): Middleware {
  const document = tagged(type, text);
  return (ctx) => {
    ctx.set(headers);
    sendTagged(ctx, document);
  };
}

/** Answers for the parameter `guide`. */
export function guideDocument(guides: ReadonlyMap<string, FixedDocument>): RouterMiddleware {
  const senders = new Map(Array.from(guides, ([slug, document]) => [slug, fixedDocument(document)]));
  return (ctx, next) => {
    const send = senders.get(ctx.params['guide'] ?? '');
    if (send === undefined) {
      throw new ApiError('not_found', 'There is no such guide.');
    }
    return send(ctx, next);
  };
}
