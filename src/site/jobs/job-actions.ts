/** Actions on jobs: cancel one, delete one or several, each after a question; download one. */

import type { RouterContext } from '@koa/router';
import { audit } from '../../accounts/audit-store.js';
import { ApiError } from '../../contract/errors.js';
import type { Job } from '../../jobs/job.js';
import { formOf, seeOther } from '../form.js';
import { LINES } from './jobs.js';
import { progressOf } from './job-progress.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, findJob, membershipOf } from '../page-state.js';
import { organisationPath, pageFormats } from '../view.js';

/** Members may cancel jobs, as they may create them. */
export async function cancelJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const isCancelled = await isDone(dependencies.jobs.cancel(job));
  if (isCancelled && job.failure !== 'cancelled') {
    await audit(dependencies.database, actorOf(ctx), job.organisationId, 'job-cancelled', job.name ?? job.id);
  }
  seeOther(ctx, `${jobsPath(ctx)}/${job.id}?done=${isCancelled ? 'cancelled' : 'ended-before'}`);
}

/** Asks before the jobs in the query are deleted. */
export async function askToDelete(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const jobs = await jobsOf(ctx, dependencies, [ctx.query['job'] ?? []].flat());
  if (jobs.length === 0) {
    seeOther(ctx, jobsPath(ctx));
    return;
  }
  const ended = jobs.filter((job) => progressOf(job, pageFormats(ctx)).ended);
  const title = jobs.length === 1 ? 'Delete this job?' : 'Delete these jobs?';
  dependencies.view.show(
    ctx,
    'delete-jobs',
    { title, section: 'jobs' },
    { jobs: ended, left: jobs.length - ended.length },
  );
}

/** Deletes the jobs of the form that have ended. */
export async function deleteJobs(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const jobs = await jobsOf(ctx, dependencies, formOf(ctx).get('jobs').split(' '));
  let deleted = 0;
  for (const job of jobs) {
    if (await isDone(dependencies.jobs.delete(job))) {
      deleted += 1;
      await audit(dependencies.database, actorOf(ctx), job.organisationId, 'job-deleted', job.name ?? job.id);
    }
  }
  const done = deleted < jobs.length ? 'not-ended' : deleted === 1 ? 'deleted' : 'jobs-deleted';
  seeOther(ctx, `${jobsPath(ctx)}${jobs.length === 0 ? '' : `?done=${done}`}`);
}

/** Redirects to the signed link, which serves ranges and has its own rate limit. */
export async function downloadJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  seeOther(ctx, dependencies.urls.download(await findJob(ctx, dependencies)));
}

/** The organisation's jobs of these ids, as many as a list shows. Others are left out. */
async function jobsOf(ctx: RouterContext, { jobs }: PageDependencies, ids: readonly string[]): Promise<Job[]> {
  const { organisationId } = membershipOf(ctx);
  const found = await Promise.all([...new Set(ids)].slice(0, LINES).map((id) => jobs.find(organisationId, id)));
  return found.filter((job) => job !== undefined);
}

/** False for a job that changed in the meantime. */
function isDone(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) {
        return false;
      }
      throw error;
    },
  );
}

function jobsPath(ctx: RouterContext): string {
  return `${organisationPath(membershipOf(ctx).organisationId)}/jobs`;
}
