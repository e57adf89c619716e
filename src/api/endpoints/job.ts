/**
 * One job, by its id or a signed URL: found, if the caller may see it; `GET` (section 4.3), `POST …/cancel` and `DELETE`.
 */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { audit } from '../../accounts/audit-store.js';
import type { RecordChange } from '../../jobs/job-store.js';
import { ApiError } from '../../contract/errors.js';
import type { Job } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';
import { jobResource } from '../job-resource.js';
import { callerOf, requestState } from '../request-state.js';
import { sendResource } from '../send-resource.js';
import type { SignedUrls } from '../signed-urls.js';

interface JobDependencies {
  jobs: Jobs;
  urls: SignedUrls;
}

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
  return async (ctx) =>
    (await jobs.findByToken(ctx.params['token'] ?? '')) ??
    notFound('The job was deleted, or the links to it were withdrawn.');
}

function notFound(message: string): never {
  throw new ApiError('not_found', message);
}

export function jobStatus(find: FindJob, urls: SignedUrls): RouterMiddleware {
  return async (ctx) => {
    sendResource(ctx, jobResource(await find(ctx), urls));
  };
}

/** Cancels a job and returns the credits of items that were not drawn. */
export function cancelJob(find: FindJob, { jobs, urls }: JobDependencies): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    ctx.body = jobResource(await jobs.cancel(job, recordOf(ctx, 'job-cancelled', job)), urls);
  };
}

export function deleteJob(find: FindJob, { jobs }: Pick<JobDependencies, 'jobs'>): RouterMiddleware {
  return async (ctx) => {
    const job = await find(ctx);
    await jobs.delete(job, recordOf(ctx, 'job-deleted', job));
    ctx.status = 204;
  };
}

/** Writes into the audit log what a key did. */
function recordOf(
  ctx: RouterContext,
  action: 'job-cancelled' | 'job-deleted',
  { organisationId, name, id }: Job,
): RecordChange {
  const actor = { personId: null, address: requestState(ctx).client };
  const subject = `${name ?? id}, by the key ${callerOf(ctx).keyName}`;
  return (transaction) => audit(transaction, actor, organisationId, action, subject);
}
