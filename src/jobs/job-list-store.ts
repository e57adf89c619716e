/** An organisation's jobs, newest first: by page and filter, and counted by state. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../database/connection.js';
import { literal, nameContains } from '../database/folded.js';
import { isBehind, pagesOf } from '../database/keyset.js';
import type { JobStatus, Schema } from '../database/schema.js';
import { type Job, jobFromRow, type JobState } from './job.js';

/** Jobs that one search looks at. */
export const JOBS_SEARCHED = 5_000;

/** A job's state that is more frequent is only said to be so: to count a million rows would take a second. */
export const MOST_COUNTED = 1_000;

/** Names of the key or the person that created a job. Both null: it was deleted, or the command line created it. */
export interface JobMaker {
  keyName: string | null;
  personName: string | null;
}

/** A job, and who created it. */
export interface ListedJob extends Job, JobMaker {}

/** The condition of jobs in a state. An index knows the status alone. */
export interface StateFilter {
  status?: JobStatus | undefined;
  isCancelled?: boolean | undefined;
  /** Some of its codes failed. */
  hasMissing?: boolean | undefined;
}

export const STATE_FILTERS: Readonly<Record<JobState, StateFilter>> = {
  processing: { status: 'processing' },
  zipping: { status: 'zipping' },
  complete: { status: 'complete', hasMissing: false },
  incomplete: { status: 'complete', hasMissing: true },
  failed: { status: 'failed', isCancelled: false },
  cancelled: { status: 'failed', isCancelled: true },
};

/** True for a condition that no index knows: such jobs are searched for. */
export function isSearched({ isCancelled, hasMissing }: StateFilter): boolean {
  return isCancelled !== undefined || hasMissing !== undefined;
}

export interface JobFilter extends StateFilter {
  keyId?: string | undefined;
  personId?: string | undefined;
  /** Part of a name, ignoring case, or the beginning of an id. */
  search?: string | undefined;
  /** Unix milliseconds, both exclusive. */
  createdAfter?: number | undefined;
  createdBefore?: number | undefined;
  /** The last job of the previous page. */
  after?: JobPlace | undefined;
  /** The last job that is looked at. Default: the oldest one. */
  until?: JobPlace | undefined;
  limit: number;
}

/** Jobs in a state. */
export interface StateCount {
  count: number;
  /** False where there may be more. */
  isAll: boolean;
}

export interface JobPlace {
  createdAt: number;
  id: string;
}

/** The condition of a filter's state, times and place. */
function inFilter({ status, isCancelled, hasMissing, createdAfter, createdBefore, after }: Omit<JobFilter, 'limit'>) {
  return (row: ExpressionBuilder<Schema, 'jobs'>) =>
    row.and([
      ...(status === undefined ? [] : [row('jobs.status', '=', status)]),
      ...(isCancelled === undefined
        ? []
        : [sql<boolean>`coalesce(jobs.failure, '') ${isCancelled ? sql`=` : sql`<>`} 'cancelled'`]),
      ...(hasMissing === undefined ? [] : [row('jobs.failed', hasMissing ? '>' : '=', 0)]),
      ...(createdAfter === undefined ? [] : [row('jobs.created_at', '>', createdAfter)]),
      ...(createdBefore === undefined ? [] : [row('jobs.created_at', '<', createdBefore)]),
      ...(after === undefined ? [] : [isBehind(row, '<', ['jobs.created_at', after.createdAt], ['jobs.id', after.id])]),
    ]);
}

export class JobListStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An organisation's jobs, newest first. */
  async page(organisationId: string, filter: JobFilter): Promise<ListedJob[]> {
    const { limit } = filter;
    const rows = await this.#matching(organisationId, filter)
      .leftJoin('api_keys', 'api_keys.id', 'charge.key_id')
      .leftJoin('people', 'people.id', 'charge.person_id')
      .selectAll('jobs')
      .select(['api_keys.name as keyName', 'people.name as personName'])
      .orderBy('jobs.created_at', 'desc')
      .orderBy('jobs.id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ keyName, personName, ...row }) => ({ ...jobFromRow(row), keyName, personName }));
  }

  /**
   * The last of the jobs that one search looks at, since no index knows a part of a name. Undefined when there are not so
   * many.
   */
  async searchEnd(
    organisationId: string,
    { status, createdAfter, createdBefore, after }: Omit<JobFilter, 'limit'>,
  ): Promise<JobPlace | undefined> {
    return this.#database
      .selectFrom('jobs')
      .select(['created_at as createdAt', 'id'])
      .where('organisation_id', '=', organisationId)
      .where(inFilter({ status, createdAfter, createdBefore, after }))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(JOBS_SEARCHED - 1)
      .limit(1)
      .executeTakeFirst();
  }

  /** An organisation's jobs that match, in each state: at most `MOST_COUNTED`, among those that one search looks at. */
  async counts(
    organisationId: string,
    filter: Omit<JobFilter, 'limit' | keyof StateFilter> = {},
  ): Promise<Record<JobState, StateCount>> {
    // A search looks at the jobs of a status, and two states share one.
    const ends = new Map<JobStatus | undefined, Promise<JobPlace | undefined>>();
    const endOf = ({ status }: StateFilter) => {
      const end = ends.get(status) ?? this.searchEnd(organisationId, { ...filter, status });
      ends.set(status, end);
      return end;
    };
    const counted = Object.entries(STATE_FILTERS).map(async ([state, own]) => {
      const until = filter.until ?? (isSearched(own) ? await endOf(own) : undefined);
      const jobs = this.#matching(organisationId, { ...filter, ...own, until })
        .select('jobs.id')
        .limit(MOST_COUNTED + 1);
      const { count } = await this.#database
        .selectFrom(jobs.as('some'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const isAll = until === undefined && count <= MOST_COUNTED;
      return [state, { count: Math.min(count, MOST_COUNTED), isAll }] as const;
    });
    return Object.fromEntries(await Promise.all(counted)) as Record<JobState, StateCount>;
  }

  /** All jobs of an organisation, newest first, page by page. */
  all(organisationId: string): AsyncGenerator<ListedJob[]> {
    return pagesOf((limit, after: ListedJob | undefined) => this.page(organisationId, { after, limit }));
  }

  #matching(organisationId: string, { keyId, personId, search, until, ...filter }: Omit<JobFilter, 'limit'>) {
    let query = this.#database
      .selectFrom('jobs')
      .leftJoin('ledger_entries as charge', (join) =>
        join.onRef('charge.job_id', '=', 'jobs.id').on('charge.kind', '=', 'charge'),
      )
      .where('jobs.organisation_id', '=', organisationId)
      .where('jobs.expires_at', '>', Date.now())
      .where(inFilter(filter));
    if (keyId !== undefined) {
      query = query.where('charge.key_id', '=', keyId);
    }
    if (personId !== undefined) {
      query = query.where('charge.person_id', '=', personId);
    }
    if (search !== undefined) {
      const isBeginningOfId = sql<boolean>`jobs.id like ${`${literal(search.toLowerCase())}%`} escape '!'`;
      query = query.where((row) => row.or([nameContains('jobs', search), isBeginningOfId]));
    }
    if (until !== undefined) {
      query = query
        .where('jobs.created_at', '>=', until.createdAt)
        .where((row) => row.or([row('jobs.created_at', '>', until.createdAt), row('jobs.id', '>=', until.id)]));
    }
    return query;
  }
}
