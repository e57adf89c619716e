/** `GET /api/v1/jobs/{jobId}` (section 4.3), and the same for the holder of a signed URL. */

import type { RouterMiddleware } from '@koa/router';
import type { FindJob } from '../find-job.js';
import { jobResource } from '../job-resource.js';
import { sendResource } from '../send-resource.js';
import type { SignedUrls } from '../signed-urls.js';

export function jobStatus(find: FindJob, urls: SignedUrls): RouterMiddleware {
  return async (ctx) => {
    sendResource(ctx, jobResource(await find(ctx), urls));
  };
}
