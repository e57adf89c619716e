/** `GET /api/v1/jobs`: the organisation's jobs, newest first, page by page. */

import type { Context, Middleware } from 'koa';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import { CURSOR_PATTERN, JOB_STATUSES, type JobList } from '../../contract/response-schema.js';
import type { JobFilter, JobListStore } from '../../jobs/job-list-store.js';
import { parseDateTime } from '../../platform/date-time.js';
import { jobResource } from '../job-resource.js';
import { callerOf } from '../request-state.js';
import { sendResource } from '../send-resource.js';
import type { SignedUrls } from '../signed-urls.js';

const CURSOR = new RegExp(CURSOR_PATTERN);

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
  const issues: Issue[] = [];
  const read = <T>(name: string, expected: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = ctx.query[name];
    const value = typeof text === 'string' ? parse(text) : undefined;
    if (text !== undefined && value === undefined) {
      const found = typeof text === 'string' ? JSON.stringify(text.slice(0, 40)) : 'several';
      issues.push({ path: `/${name}`, code: 'invalid_value', message: `must be ${expected}, not ${found}` });
    }
    return value;
  };
  const { minimum, maximum } = LIMITS.jobsOfPage;
  const filter: JobFilter = {
    status: read('status', `one of ${JOB_STATUSES.join(', ')}`, (text) => JOB_STATUSES.find((each) => each === text)),
    createdAfter: read('createdAfter', 'a time such as 2026-01-31T12:00:00Z', timeOf),
    createdBefore: read('createdBefore', 'a time such as 2026-01-31T12:00:00Z', (text) => timeOf(text, Math.ceil)),
    after: read('cursor', 'the nextCursor of the page before', placeOf),
    limit:
      read('limit', `a whole number from ${minimum} to ${maximum}`, (text) => {
        const limit = Number(text);
        return /^\d{1,3}$/.test(text) && limit >= minimum && limit <= maximum ? limit : undefined;
      }) ?? LIMITS.jobsOfPage.default,
  };
  const [first] = issues;
  if (first !== undefined) {
    const message = `The query is not valid: ${first.path}: ${first.message}`;
    throw new ApiError('invalid_input', message, { issues, issueCount: issues.length });
  }
  return filter;
}

/** Unix milliseconds, by default those that have begun. Undefined when the text is not a valid time. */
function timeOf(parameter: string, round: (ms: number) => number = Math.floor): number | undefined {
  // In a query a plus that is not escaped reads as a space. A time has no space, so this one was the plus of the offset.
  return parseDateTime(parameter.replace(' ', '+'), round);
}

/** The last job of the previous page. */
function placeOf(cursor: string): JobFilter['after'] {
  const [time = '', id = ''] = cursor.split('-');
  return CURSOR.test(cursor) ? { createdAt: Number.parseInt(time, 36), id } : undefined;
}
