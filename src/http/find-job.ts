/** Finds the job of a request, if the caller may see it. */

import type { RouterContext } from '@koa/router';
import { ApiError } from '../contract/errors.js';
import type { Job } from '../jobs/job.js';
import type { Jobs } from '../jobs/jobs.js';
import { callerOf } from './request-state.js';

/** Finds the job of a request. @throws ApiError `not_found` */
export type FindJob = (ctx: RouterContext) => Promise<Job>;

/** Finds the job of the parameter `jobId`. Requires `authenticate` before it. */
export function jobOfCaller(jobs: Jobs): FindJob {
  return async (ctx) =>
    (await jobs.find(callerOf(ctx).organisationId, ctx.params['jobId'] ?? '')) ??
    notFound("There is no such job in the key's organisation.");
}

/** Finds the job of the parameter `token`. Requires `signedLink` before it. */
export function jobOfLink(jobs: Jobs): FindJob {
  return async (ctx) => (await jobs.findByToken(ctx.params['token'] ?? '')) ?? notFound('The job was deleted.');
}

function notFound(message: string): never {
  throw new ApiError('not_found', message);
}
