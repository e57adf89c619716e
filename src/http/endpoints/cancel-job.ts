/** `POST /api/v1/jobs/{jobId}/cancel`: stops a job; what was not drawn is returned. */

import type { RouterMiddleware } from '@koa/router';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from '../find-job.js';
import { jobResource } from '../job-resource.js';
import type { SignedUrls } from '../signed-urls.js';

export function cancelJob(find: FindJob, jobs: Jobs, urls: SignedUrls): RouterMiddleware {
  return async (ctx) => {
    ctx.body = jobResource(await jobs.cancel(await find(ctx)), urls);
  };
}
