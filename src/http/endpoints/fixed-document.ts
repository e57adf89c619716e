/**
 * Documents that do not change while the service runs: `GET /api/v1/openapi.json`, and `GET /docs` with everything
 * below it.
 */

import type { Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';
import { sendTagged, tagged } from '../send-resource.js';

export interface FixedDocument {
  /** Media type, without a charset. */
  type: string;
  text: string;
  /** Headers in addition to those of every document. */
  headers?: Readonly<Record<string, string>>;
}

export function fixedDocument({ type, text, headers = {} }: FixedDocument): Middleware {
  const document = tagged(type, text);
  return (ctx) => {
    ctx.set(headers);
    sendTagged(ctx, document);
  };
}

/** Serves every path in `documents`. */
export function fixedDocuments(documents: ReadonlyMap<string, FixedDocument>): Middleware {
  const senders = new Map(Array.from(documents, ([path, document]) => [path, fixedDocument(document)]));
  return (ctx, next) => {
    const send = senders.get(ctx.path);
    if (send === undefined) {
      throw new ApiError('not_found', 'There is no such page.');
    }
    return send(ctx, next);
  };
}
