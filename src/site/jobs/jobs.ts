/** `/account/o/…/jobs`: the organisation's jobs, by state, time and maker. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { DAY_MS, LIMITS } from '../../contract/limits.js';
import { type JobState, STATE_NAMES } from '../../jobs/job.js';
import { JOBS_SEARCHED, type ListedJob, MOST_COUNTED, STATE_FILTERS } from '../../jobs/job-list-store.js';
import { type JobProgress, progressOf } from './job-progress.js';
import type { PageDependencies } from '../page-dependencies.js';
import { membershipOf } from '../page-state.js';
import { pageOf, placeOf, rowAfter, searchOf } from '../paging.js';
import { pageFormats } from '../view.js';

/** Jobs of a page: as many can be chosen together. */
export const LINES = 50;

const STATES = Object.keys(STATE_FILTERS) as JobState[];

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
  const { jobList } = dependencies;
  const [keys, people, counts] = await Promise.all([
    dependencies.keys.list(organisationId),
    dependencies.memberships.members(organisationId),
    jobList.counts(organisationId),
  ]);
  const state = STATES.find((each) => each === ctx.query['status']);
  const keyId = keys.find(({ id }) => id === ctx.query['key'])?.id;
  const personId = people.find((each) => each.personId === ctx.query['person'])?.personId;
  const search = searchOf(ctx, LIMITS.jobNameCharacters);
  const [from, to] = [dayOf(ctx, 'from'), dayOf(ctx, 'to')];
  const after = rowAfter(ctx);
  const filter = {
    ...(state && STATE_FILTERS[state]),
    createdAfter: from === undefined ? undefined : Date.parse(from) - 1,
    createdBefore: to === undefined ? undefined : Date.parse(to) + DAY_MS,
    after,
  };
  // No index knows the jobs of a key or a person, those that were cancelled, or a part of a name.
  const isSearch = [keyId, personId, search, filter.isCancelled].some((each) => each !== undefined);
  const until = isSearch ? await jobList.searchEnd(organisationId, filter) : undefined;
  const query = { ...filter, keyId, personId, search, until, limit: LINES + 1 };
  const { shown, next = until && placeOf(until) } = pageOf(await jobList.page(organisationId, query), LINES);
  const chosen = { q: search, status: state, key: keyId, person: personId, from, to };
  dependencies.view.show(
    ctx,
    'jobs',
    { title: 'Jobs', section: 'jobs' },
    {
      jobs: jobRows(ctx, dependencies, shown),
      next,
      states: STATES.map((each) => ({ state: each, name: STATE_NAMES[each], count: counts[each] })),
      mostCounted: MOST_COUNTED,
      keys,
      people,
      chosen,
      isFiltered: Object.values(chosen).some((each) => each !== undefined),
      query: (changed: Record<string, string>) => queryOf({ ...chosen, ...changed }),
      isFirstPage: after === undefined,
      searched: JOBS_SEARCHED,
    },
  );
}

/** A day in the query, such as 2026-01-31, in UTC. Undefined when it is none. */
function dayOf(ctx: RouterContext, name: string): string | undefined {
  const text = String(ctx.query[name] ?? '');
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The filters as the query of a link, without those that are not set. */
function queryOf(filters: Record<string, string | undefined>): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
