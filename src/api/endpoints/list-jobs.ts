/** `GET /api/v1/jobs`: the organisation's jobs, newest first, page by page. */

import type { Context, Middleware } from 'koa';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { JobFilterSchema } from '../../contract/query-schema.js';
import { readQuery } from '../../contract/read-query.js';
import type { JobList } from '../../contract/response-schema.js';
import type { JobFilter, JobListStore } from '../../jobs/job-list-store.js';
import { parseDateTime } from '../../contract/date-time.js';
import { jobResource } from '../job-resource.js';
import { callerOf } from '../request-state.js';
import { sendResource } from '../send-resource.js';
import type { SignedUrls } from '../signed-urls.js';

export function listJobs(jobList: JobListStore, urls: SignedUrls): Middleware {
  return async (ctx) => {
    const filter = filterOf(ctx);
    const { organisationId } = callerOf(ctx);
    // Fetches one more than is shown, to know whether there is another page.
    const found = await jobList.page(organisationId, { ...filter, limit: filter.limit + 1 });
    const shown = found.slice(0, filter.limit);
    const last = found.length > filter.limit ? shown.at(-1) : undefined;
    const list: JobList = {
      jobs: shown.map((job) => jobResource(job, urls)),
      ...(last && { nextCursor: `${last.createdAt.toString(36)}-${last.id}` }),
    };
    sendResource(ctx, list);
  };
}

/** @throws ApiError `invalid_input`, listing every invalid parameter */
function filterOf(ctx: Context): JobFilter {
  const query = readQuery(JobFilterSchema, ctx.query);
  const filter: JobFilter = {
    status: query.read('status'),
    createdAfter: timeOf(query.read('createdAfter'), Math.floor),
    createdBefore: timeOf(query.read('createdBefore'), Math.ceil),
    after: placeOf(query.read('cursor')),
    limit: query.read('limit') ?? LIMITS.jobsOfPage.default,
  };
  // Whatever is wrong with a parameter of this list has one code.
  const issues = query.issues.map(({ path, message }): Issue => ({ path, code: 'invalid_value', message }));
  const [first] = issues;
  if (first !== undefined) {
    const message = `The query is not valid: ${first.path}: ${first.message}`;
    throw new ApiError('invalid_input', message, { issues, issueCount: issues.length });
  }
  return filter;
}

/** Unix milliseconds of a time that is finer. */
function timeOf(text: string | undefined, round: (ms: number) => number): number | undefined {
  return text === undefined ? undefined : parseDateTime(text, round);
}

/** The last job of the previous page. */
function placeOf(cursor: string | undefined): JobFilter['after'] {
  const [time = '', id = ''] = cursor?.split('-') ?? [];
  return cursor === undefined ? undefined : { createdAt: Number.parseInt(time, 36), id };
}
