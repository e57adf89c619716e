/** One job, by its id or a signed URL: `GET` (section 4.3), `POST …/cancel` and `DELETE`. */

import type { RouterMiddleware } from '@koa/router';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from '../find-job.js';
import { jobResource } from '../job-resource.js';
import { sendResource } from '../send-resource.js';
import type { SignedUrls } from '../signed-urls.js';

/** The job resource. */
export function jobStatus(find: FindJob, urls: SignedUrls): RouterMiddleware {
  return async (ctx) => {
    sendResource(ctx, jobResource(await find(ctx), urls));
  };
}

/** Cancels a job and returns the credits of items that were not drawn. */
export function cancelJob(find: FindJob, jobs: Jobs, urls: SignedUrls): RouterMiddleware {
  return async (ctx) => {
    ctx.body = jobResource(await jobs.cancel(await find(ctx)), urls);
  };
}

/** Deletes an ended job with its input and archive. */
export function deleteJob(find: FindJob, jobs: Jobs): RouterMiddleware {
  return async (ctx) => {
    await jobs.delete(await find(ctx));
    ctx.status = 204;
  };
}
