/** `/account/o/…/jobs`: the organisation's jobs, by state, time and maker. */

import type { RouterContext } from '@koa/router';
import { DAY_MS, LIMITS } from '../../contract/limits.js';
import { type JobState, STATE_NAMES } from '../../jobs/job.js';
import { isSearched, JOBS_SEARCHED, STATE_FILTERS } from '../../jobs/job-list-store.js';
import type { Needs } from '../shell/page-dependencies.js';
import { membershipOf } from '../shell/page-state.js';
import { dayIn, pageOf, placeOf, queryOf, rowAfter, searchOf } from '../shell/paging.js';
import { jobRows } from '../shell/job-progress.js';

/** Jobs of a page: as many can be chosen together. */
export const LINES = 50;

const STATES = Object.keys(STATE_FILTERS) as JobState[];

export async function showJobs(
  ctx: RouterContext,
  needs: Needs<'jobList' | 'keys' | 'memberships' | 'view' | 'config' | 'urls'>,
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const { jobList } = needs;
  const [keys, people] = await Promise.all([
    needs.keys.list(organisationId),
    needs.memberships.members(organisationId),
  ]);
  const state = STATES.find((each) => each === ctx.query['status']);
  const keyId = keys.find(({ id }) => id === ctx.query['key'])?.id;
  const personId = people.find((each) => each.personId === ctx.query['person'])?.personId;
  const search = searchOf(ctx, LIMITS.jobNameCharacters);
  const [from, to] = [dayIn(ctx, 'from'), dayIn(ctx, 'to')];
  const after = rowAfter(ctx);
  const days = {
    createdAfter: from === undefined ? undefined : Date.parse(from) - 1,
    createdBefore: to === undefined ? undefined : Date.parse(to) + DAY_MS,
  };
  const filter = { ...(state && STATE_FILTERS[state]), ...days, after };
  // No index knows the jobs of a key or a person, or a part of a name.
  const named = { keyId, personId, search };
  const isNamed = Object.values(named).some((each) => each !== undefined);
  const [until, countedUntil] = await Promise.all([
    isNamed || isSearched(filter) ? jobList.searchEnd(organisationId, filter) : undefined,
    isNamed ? jobList.searchEnd(organisationId, days) : undefined,
  ]);
  const [jobs, counts] = await Promise.all([
    jobList.page(organisationId, { ...filter, ...named, until, limit: LINES + 1 }),
    jobList.counts(organisationId, { ...days, ...named, until: countedUntil }),
  ]);
  const { shown, next = until && placeOf(until) } = pageOf(jobs, LINES);
  const chosen = { q: search, status: state, key: keyId, person: personId, from, to };
  needs.view.show(ctx, 'jobs', {
    title: 'Jobs',
    section: 'jobs',
    jobs: jobRows(ctx, needs, shown),
    next,
    states: STATES.map((each) => ({ state: each, name: STATE_NAMES[each], ...counts[each] })),
    keys,
    people,
    chosen,
    isFiltered: Object.values(chosen).some((each) => each !== undefined),
    query: (changed: Record<string, string>) => queryOf({ ...chosen, ...changed }),
    isFirstPage: after === undefined,
    searched: JOBS_SEARCHED,
  });
}
