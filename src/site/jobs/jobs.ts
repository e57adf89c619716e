/** `/account/o/…/jobs`: the organisation's jobs with their progress and links. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { withinDownload } from '../../admission/download-pace.js';
import { AccountError } from '../../accounts/account-error.js';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { JOB_STATUSES } from '../../contract/response-schema.js';
import type { FirstPicture } from '../../jobs/files/rendered-items.js';
import { FAILURE_TEXT, type Job } from '../../jobs/job.js';
import { JOBS_SEARCHED, type JobReport, type ListedJob } from '../../jobs/job-report-store.js';
import { seeOther } from '../form.js';
import { type JobProgress, progressOf } from './job-progress.js';
import type { PageDependencies } from '../page-dependencies.js';
import { findJob, membershipOf, personOf } from '../page-state.js';
import { pageOf, placeOf, rowAfter, searchOf } from '../paging.js';
import { organisationPath, pageFormats } from '../view.js';

const LINES = 20;

/** Unread codes whose pictures a page shows. */
const UNREAD_PICTURES = 12;

const PICTURE_TYPES = [
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
] as const;

/** The classes of `Verification.distribution`. */
const UNUSED_CLASSES = ['below 25 %', '25 to 49 %', '50 to 74 %', '75 to 99 %', '100 %'];

/** A job as a row of a table. */
export interface JobLine extends ListedJob {
  progress: JobProgress;
  /** The signed link, absolute. */
  downloadUrl: string;
}

export function jobRows(
  ctx: Context,
  { config, urls }: Pick<PageDependencies, 'config' | 'urls'>,
  jobs: readonly ListedJob[],
): JobLine[] {
  const formats = pageFormats(ctx);
  return jobs.map((job) => ({
    ...job,
    progress: progressOf(job, formats),
    downloadUrl: config.baseUrl + urls.download(job),
  }));
}

export async function showJobs(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const status = JOB_STATUSES.find((each) => each === ctx.query['status']);
  const keys = await dependencies.keys.list(organisationId);
  const keyId = keys.find(({ id }) => id === ctx.query['key'])?.id;
  const search = searchOf(ctx, LIMITS.jobNameCharacters);
  const after = rowAfter(ctx);
  const { jobReports } = dependencies;
  // No index knows a key's jobs, or a part of a name.
  const isSearch = keyId !== undefined || search !== undefined;
  const until = isSearch ? await jobReports.searchEnd(organisationId, { status, after }) : undefined;
  const filter = { status, keyId, search, after, until, limit: LINES + 1 };
  const { shown, next = until && placeOf(until) } = pageOf(await jobReports.page(organisationId, filter), LINES);
  dependencies.view.show(
    ctx,
    'jobs',
    { title: 'Jobs', section: 'jobs' },
    {
      jobs: jobRows(ctx, dependencies, shown),
      next,
      statuses: JOB_STATUSES,
      status,
      keys,
      keyId,
      search,
      query: (changed: Record<string, string>) => queryOf({ status, key: keyId, search, ...changed }),
      isFirstPage: after === undefined,
      searched: JOBS_SEARCHED,
    },
  );
}

export async function showJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const { baseUrl } = dependencies.config;
  const report = await dependencies.jobReports.report(job.id);
  dependencies.view.show(
    ctx,
    'job',
    { title: job.name ?? `Job ${job.id.slice(0, 6)}`, section: 'jobs' },
    {
      job,
      why: job.failure && FAILURE_TEXT[job.failure],
      progress: progressOf(job, pageFormats(ctx)),
      report,
      picture: await pictureOf(dependencies, job, report),
      downloadUrl: baseUrl + dependencies.urls.download(job),
      unusedClasses: UNUSED_CLASSES,
      unreadPictures: job.status === 'complete' ? (job.verification?.unreadItems.slice(0, UNREAD_PICTURES) ?? []) : [],
    },
  );
}

/** Members may cancel jobs, as they may create them. */
export async function cancelJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const done = await dependencies.jobs.cancel(job).then(
    () => 'cancelled',
    (error: unknown) => refusalOf(error, 'ended-before'),
  );
  seeOther(ctx, `${organisationPath(job.organisationId)}/jobs/${job.id}?done=${done}`);
}

export async function deleteJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const jobs = `${organisationPath(job.organisationId)}/jobs`;
  await dependencies.jobs.delete(job).then(
    () => seeOther(ctx, `${jobs}?done=deleted`),
    (error: unknown) => seeOther(ctx, `${jobs}/${job.id}?done=${refusalOf(error, 'not-ended')}`),
  );
}

/** The notice for a job that changed in the meantime. */
function refusalOf(error: unknown, notice: string): string {
  if (error instanceof ApiError) {
    return notice;
  }
  throw error;
}

/** The first picture of a job, as in its archive. */
export async function showFirstCode(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const holder = { organisationId: job.organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'download', async () => {
    const picture = await pictureOf(dependencies, job, await dependencies.jobReports.report(job.id));
    if (picture === undefined) {
      throw new AccountError('not_found', 'No code of this job is drawn.');
    }
    ctx.type = picture.name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    ctx.body = picture.read();
    ctx.length = picture.bytes;
    // Pictures never change.
    ctx.set('Cache-Control', 'private, max-age=86400');
  });
}

/** The picture of an item that could not be read, as in the archive. */
export async function showUnreadCode(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const item = job.verification?.unreadItems.find((each) => String(each) === ctx.params['item']);
  const holder = { organisationId: job.organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'download', async () => {
    for (const [extension, type] of PICTURE_TYPES) {
      const picture =
        item === undefined || job.status !== 'complete'
          ? undefined
          : await dependencies.jobs.findPicture(job, item, extension);
      if (picture !== undefined) {
        ctx.type = type;
        ctx.body = picture.read();
        ctx.length = picture.bytes;
        // Pictures never change.
        ctx.set('Cache-Control', 'private, max-age=86400');
        return;
      }
    }
    throw new AccountError('not_found', 'This job has no such code.');
  });
}

/** The first picture of a job. Undefined when there is none: a failed job keeps no files. */
async function pictureOf(
  { jobs, log }: PageDependencies,
  job: Job,
  { firstRendered }: JobReport,
): Promise<FirstPicture | undefined> {
  if (job.status === 'failed' || firstRendered === undefined) {
    return undefined;
  }
  try {
    return await jobs.firstPicture(job, firstRendered);
  } catch (error) {
    // The page is useful without the picture.
    log.error({ jobId: job.id, err: error }, 'page: could not read the first picture');
    return undefined;
  }
}

/** Redirects to the signed link, which serves ranges and has its own rate limit. */
export async function downloadJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  seeOther(ctx, dependencies.urls.download(await findJob(ctx, dependencies)));
}

/** The filters as the query of a link, without those that are not set. */
function queryOf({ search, ...filters }: Record<string, string | undefined>): string {
  const set = Object.entries({ q: search, ...filters }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
