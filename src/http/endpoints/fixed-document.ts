/** Documents that stay the same while the service runs: `GET /api/v1/openapi.json` and `GET /docs`. */

import type { Middleware } from 'koa';
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
