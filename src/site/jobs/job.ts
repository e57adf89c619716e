/** `/account/o/…/jobs/…`: one job, with its codes. */

import type { RouterContext } from '@koa/router';
import { withinDownload } from '../../admission/download-pace.js';
import { ApiError } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import { FAILURE_TEXT, type Job } from '../../jobs/job.js';
import type { ItemPage } from '../../jobs/files/job-items.js';
import { progressOf } from './job-progress.js';
import { firstPictureOf } from './job-pictures.js';
import type { PageDependencies } from '../page-dependencies.js';
import { findJob, personOf } from '../page-state.js';
import { searchOf } from '../paging.js';
import { forPeople } from '../studio/studio-check.js';
import { pageFormats } from '../view.js';

/** Codes of a page. Divisible by 2, 3 and 4, the columns of the grid. */
const CODES = 24;

/** Unread codes whose pictures a page shows. */
const UNREAD_PICTURES = 12;

/** The classes of `Verification.distribution`. */
const UNUSED_CLASSES = ['below 25 %', '25 to 49 %', '50 to 74 %', '75 to 99 %', '100 %'];

export async function showJob(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const { baseUrl } = dependencies.config;
  const report = await dependencies.jobReports.report(job.id);
  const isComplete = job.status === 'complete';
  dependencies.view.show(
    ctx,
    'job',
    { title: job.name ?? `Job ${job.id.slice(0, 6)}`, section: 'jobs' },
    {
      job,
      why: job.failure && FAILURE_TEXT[job.failure],
      progress: progressOf(job, pageFormats(ctx)),
      report,
      warnings: job.warnings.map(({ message, ...warning }) => ({ ...warning, message: forPeople(message) })),
      picture: isComplete ? undefined : await firstPictureOf(dependencies, job, report),
      downloadUrl: baseUrl + dependencies.urls.download(job),
      unusedClasses: UNUSED_CLASSES,
      unread: isComplete ? (job.verification?.unreadItems.slice(0, UNREAD_PICTURES) ?? []) : [],
      ...(isComplete && { codes: await codesOf(ctx, dependencies, job), style: await styleOf(dependencies, job) }),
    },
  );
}

/** Codes as the page shows them. */
interface CodeList extends Partial<ItemPage> {
  from: number;
  search: string | undefined;
  /** Index of the first code of the page before. Undefined on the first page, and in a search. */
  previous: number | undefined;
  hasMore: boolean;
}

/** A page of the job's codes, in a place for a download. Without one there are no items, and the page says so. */
async function codesOf(ctx: RouterContext, { jobs, admission }: PageDependencies, job: Job): Promise<CodeList> {
  const search = searchOf(ctx, LIMITS.dataCharacters);
  const from = Math.min(indexIn(ctx), job.total - 1);
  const previous = search === undefined && from > 0 ? Math.max(0, from - CODES) : undefined;
  try {
    const leave = admission.take('download', { organisationId: job.organisationId, personId: personOf(ctx).id });
    try {
      const { items, next } = await jobs.findItems(job, { from, search, limit: CODES });
      return { items, next, from, search, previous, hasMore: next < job.total };
    } finally {
      leave();
    }
  } catch (error) {
    if (error instanceof ApiError) {
      return { from, search, previous, hasMore: false };
    }
    throw error;
  }
}

function indexIn(ctx: RouterContext): number {
  const text = String(ctx.query['from'] ?? '');
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}

/** The look of the job's codes. Undefined when its file cannot be read: the page is useful without it. */
async function styleOf({ jobs, log }: PageDependencies, job: Job): Promise<JobMeta | undefined> {
  try {
    return await jobs.meta(job);
  } catch (error) {
    log.error({ jobId: job.id, err: error }, 'page: could not read the style');
    return undefined;
  }
}

/** The job's items as NDJSON or CSV. */
export async function downloadManifest(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const job = await findJob(ctx, dependencies);
  const form = ctx.path.endsWith('.csv') ? 'csv' : 'ndjson';
  const holder = { organisationId: job.organisationId, personId: personOf(ctx).id };
  await withinDownload(ctx, dependencies.admission, holder, 'download', async () => {
    const { read } = await dependencies.jobs.openManifest(job, form);
    ctx.type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8';
    ctx.set('Content-Disposition', `attachment; filename="qrpress-${job.id}.${form}"`);
    ctx.body = read();
  });
}
