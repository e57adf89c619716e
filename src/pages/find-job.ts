/** Finds the job of a page. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import type { Job } from '../jobs/job.js';
import type { PageDependencies } from './page-dependencies.js';
import { membershipOf } from './page-state.js';

/** The job of the parameter `jobId`. @throws AccountError `not_found` */
export async function findJob(ctx: RouterContext, { jobs }: PageDependencies): Promise<Job> {
  const job = await jobs.find(membershipOf(ctx).organisationId, ctx.params['jobId'] ?? '');
  if (job === undefined) {
    throw new AccountError('not_found', 'There is no such job, or it was deleted.');
  }
  return job;
}
