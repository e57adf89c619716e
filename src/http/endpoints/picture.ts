/** `GET /api/v1/jobs/{jobId}/items/{index}.png` or `.svg`: one picture, as in the archive. */

import type { RouterMiddleware } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { ApiError } from '../../contract/errors.js';
import type { PictureExtension } from '../../engine/engine.js';
import type { FindJob } from '../find-job.js';
import { answersUnchanged } from '../send-resource.js';
import type { DownloadDependencies } from './download.js';

const MEDIA_TYPES: Readonly<Record<PictureExtension, string>> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** The index of an item. No job has indices of more digits. */
const INDEX = /^(?:0|[1-9]\d{0,6})$/;

export function picture(
  find: FindJob,
  { jobs, admission }: DownloadDependencies,
  extension: PictureExtension,
): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    const index = ctx.params['index'] ?? '';
    await withinDownload(ctx, admission, { organisationId: job.organisationId }, async () => {
      const found = await jobs.findPicture(job, INDEX.test(index) ? Number(index) : -1, extension);
      if (found === undefined) {
        throw new ApiError('not_found', 'The job has no such item, or no such picture of it.');
      }
      const { entityTag, bytes, read } = found;
      if (answersUnchanged(ctx, { etag: entityTag })) {
        return;
      }
      ctx.status = 200;
      if (ctx.method === 'GET') {
        ctx.body = read();
      }
      ctx.set('Content-Type', MEDIA_TYPES[extension]);
      ctx.length = bytes;
    });
  };
}
