/** `/account/o/…/jobs`: the organisation's jobs, each with its progress and its links. */

import type { RouterMiddleware } from '@koa/router';
import type { JobStatus } from '../database/schema.js';
import { findJob } from './find-job.js';
import { progressOf } from './job-progress.js';
import type { PageRooms } from './page-rooms.js';
import { membershipOf } from './page-state.js';
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
    const [, createdAt, id] = /^(\d{1,15})-(\w{26})$/.exec(String(ctx.query['after'] ?? '')) ?? [];
    const after = createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
    const jobs = await rooms.jobLists.page(organisationId, { status, keyId, after, limit: LINES + 1 });
    const last = jobs[LINES - 1];
    rooms.view.show(
      ctx,
      'jobs',
      { title: 'Jobs', section: 'jobs' },
      {
        jobs: jobs.slice(0, LINES),
        next: jobs.length > LINES && last ? `${last.createdAt}-${last.id}` : undefined,
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
    rooms.view.show(
      ctx,
      'job',
      { title: `Job ${job.id.slice(0, 6)}`, section: 'jobs' },
      {
        job,
        progress: progressOf(job, pageFormats(ctx)),
        downloadUrl: baseUrl + rooms.links.download(job),
        statusUrl: baseUrl + rooms.links.status(job),
        retentionDays: rooms.config.retentionDays,
      },
    );
  };
}

/** Leads to the signed link, which serves ranges and is limited like any other. */
export function downloadJob(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => seeOther(ctx, rooms.links.download(await findJob(ctx, rooms)));
}
