/** `GET /api/v1/openapi.json`, `GET /llms.txt`, and `GET /docs` with everything below it. */

import type { Middleware } from 'koa';
import { ApiError } from '../../contract/errors.js';
import type { DocsFile } from '../docs/page/docs-site.js';
import { sendTagged, tagged } from '../send-resource.js';

/** Serves files by path, which do not change while the service runs. */
export function documents(files: ReadonlyMap<string, DocsFile>): Middleware {
  const known = new Map(
    Array.from(files, ([path, { type, content, headers = {} }]) => [
      path,
      { headers, document: tagged(type, content) },
    ]),
  );
  return (ctx) => {
    const found = known.get(ctx.path);
    if (found === undefined) {
      throw new ApiError('not_found', 'There is no such page.');
    }
    ctx.set(found.headers);
    sendTagged(ctx, found.document);
  };
}
