/** `/account/o/…/jobs`: the organisation's jobs, each with its progress and its links. */

import type { RouterMiddleware } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import type { JobStatus } from '../database/schema.js';
import { type FirstPicture, firstPicture } from '../jobs/first-picture.js';
import type { JobReport } from '../jobs/job-report-store.js';
import { findJob } from './find-job.js';
import { progressOf } from './job-progress.js';
import type { PageRooms } from './page-rooms.js';
import { membershipOf } from './page-state.js';
import { pageOf, rowAfter } from './row-after.js';
import { seeOther } from './sign-in.js';
import { pageFormats } from './view.js';

const LINES = 20;

const STATUSES: readonly JobStatus[] = ['processing', 'zipping', 'complete', 'failed'];

export function showJobs(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { organisationId } = membershipOf(ctx);
    const status = STATUSES.find((each) => each === ctx.query['status']);
    const keys = await rooms.keys.list(organisationId);
    const keyId = keys.find(({ id }) => id === ctx.query['key'])?.id;
    const after = rowAfter(ctx);
    const jobs = await rooms.jobLists.page(organisationId, { status, keyId, after, limit: LINES + 1 });
    const { shown, next } = pageOf(jobs, LINES);
    rooms.view.show(
      ctx,
      'jobs',
      { title: 'Jobs', section: 'jobs' },
      {
        jobs: shown,
        next,
        statuses: STATUSES,
        status,
        keys,
        keyId,
        isFirstPage: after === undefined,
      },
    );
  };
}

export function showJob(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const job = await findJob(ctx, rooms);
    const { baseUrl } = rooms.config;
    const report = await rooms.jobReports.report(job.id);
    rooms.view.show(
      ctx,
      'job',
      { title: `Job ${job.id.slice(0, 6)}`, section: 'jobs' },
      {
        job,
        progress: progressOf(job, pageFormats(ctx)),
        report,
        picture: await pictureOf(rooms, job.id, report),
        downloadUrl: baseUrl + rooms.links.download(job),
        statusUrl: baseUrl + rooms.links.status(job),
        retentionDays: rooms.config.retentionDays,
      },
    );
  };
}

/** The first picture of a job, as it is in its archive. */
export function showFirstCode(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { id } = await findJob(ctx, rooms);
    const picture = await pictureOf(rooms, id, await rooms.jobReports.report(id));
    if (picture === undefined) {
      throw new AccountError('not_found', 'No code of this job is drawn.');
    }
    ctx.type = picture.name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    ctx.body = picture.open();
    ctx.length = picture.bytes;
  };
}

async function pictureOf(
  { storage, log }: PageRooms,
  jobId: string,
  { firstRendered }: JobReport,
): Promise<FirstPicture | undefined> {
  try {
    return firstRendered && (await firstPicture(storage, jobId, firstRendered));
  } catch (error) {
    // The page says more than its picture.
    log.error({ jobId, err: error }, 'page: the first picture cannot be read');
    return undefined;
  }
}

/** Leads to the signed link, which serves ranges and is limited like any other. */
export function downloadJob(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => seeOther(ctx, rooms.links.download(await findJob(ctx, rooms)));
}
