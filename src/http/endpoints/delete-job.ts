/** `DELETE /api/v1/jobs/{jobId}`: deletes a job that has ended, with its input and its archive. */

import type { RouterMiddleware } from '@koa/router';
import type { Jobs } from '../../jobs/jobs.js';
import type { FindJob } from '../find-job.js';

export function deleteJob(find: FindJob, jobs: Jobs): RouterMiddleware {
  return async (ctx) => {
    await jobs.delete(await find(ctx));
    ctx.status = 204;
  };
}
