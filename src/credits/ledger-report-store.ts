/** Reports on the ledger: pages of entries, and credits used per day, key, person and job. */

import { sql } from 'kysely';
import { DAY_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { isBehind, pagesOf } from '../database/keyset.js';
import type { LedgerEntryKind } from '../database/schema.js';
import { startOfDay } from './ledger-day-store.js';

/** Maximum number of listed keys or people. An organisation may have any number of them. */
const MAX_USERS = 100;

/** Jobs of a period that are all looked at to find those that cost most. */
const FEW_JOBS = 1_000;

export interface LedgerLine {
  id: number;
  kind: LedgerEntryKind;
  /** Signed: a charge is negative. */
  amount: number;
  balanceAfter: number;
  jobId: string | null;
  /** Null: the job has no name, or was deleted. */
  jobName: string | null;
  /** False for an entry without a job, and where it was deleted. */
  hasJob: boolean;
  reason: string;
  /** Name of the API key or the person who caused the entry. Both null: the service itself or the command line did. */
  keyName: string | null;
  personName: string | null;
  /** Unix milliseconds. */
  createdAt: number;
}

export interface LedgerFilter {
  kind?: LedgerEntryKind | undefined;
  /** Only entries of these days. */
  days?: Days | undefined;
}

interface LedgerPage extends LedgerFilter {
  /** Only entries with a lower id. */
  before?: number | undefined;
  limit: number;
}

/** Credits used on one day: charges minus refunds. */
export interface DayUse {
  /** Start of the day in UTC, Unix milliseconds. */
  day: number;
  credits: number;
}

/** Days in UTC, one after the other. */
export interface Days {
  /** Start of the first, Unix milliseconds. */
  first: number;
  count: number;
}

/** The last `count` days, today included. */
export function lastDays(count: number, now = Date.now()): Days {
  return { first: startOfDay(now) - (count - 1) * DAY_MS, count };
}

/** Users of credits: API keys, or people in the studio. */
export type UserKind = 'key' | 'person';

interface Use {
  credits: number;
  /** Jobs that were charged. */
  jobs: number;
}

interface UserUse extends Use {
  id: string;
  /** Null: the person was deleted. */
  name: string | null;
}

/** Use by those of one kind that are listed, by those that are not, and by all of the other kind. */
interface UseBy {
  users: UserUse[];
  more: Use & { users: number };
  others: Use;
}

/** Use of one job, less what was refunded. */
export interface JobUse {
  id: string;
  name: string | null;
  keyName: string | null;
  personName: string | null;
  credits: number;
  /** Unix milliseconds. */
  createdAt: number;
}

export class LedgerReportStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One page of an organisation's entries, newest first. */
  async page(organisationId: string, { kind, days, before, limit }: LedgerPage): Promise<LedgerLine[]> {
    let query = this.#database
      .selectFrom('ledger_entries as entry')
      .leftJoin('api_keys', 'api_keys.id', 'entry.key_id')
      .leftJoin('people', 'people.id', 'entry.person_id')
      .leftJoin('jobs', 'jobs.id', 'entry.job_id')
      .select(['entry.id', 'entry.kind', 'entry.amount', 'entry.balance_after as balanceAfter'])
      .select(['entry.job_id as jobId', 'entry.reason', 'entry.created_at as createdAt'])
      .select(['api_keys.name as keyName', 'people.name as personName', 'jobs.name as jobName', 'jobs.id as foundJob'])
      .where('entry.organisation_id', '=', organisationId);
    if (kind !== undefined) {
      query = query.where('entry.kind', '=', kind);
    }
    if (days !== undefined) {
      // In the order of the index by time: a day of years ago is found at once.
      query = query
        .where('entry.created_at', '>=', days.first)
        .where('entry.created_at', '<', days.first + days.count * DAY_MS)
        .orderBy('entry.created_at', 'desc');
    }
    if (before !== undefined) {
      const createdAt = days === undefined ? undefined : await this.#timeOf(organisationId, before);
      query = query.where((compare) =>
        createdAt === undefined
          ? compare('entry.id', '<', before)
          : isBehind(compare, '<', ['entry.created_at', createdAt], ['entry.id', before]),
      );
    }
    const rows = await query.orderBy('entry.id', 'desc').limit(limit).execute();
    return rows.map(({ foundJob, ...line }) => ({ ...line, hasJob: foundJob !== null }));
  }

  /** The balance at the start of a day. */
  async balanceAt(organisationId: string, day: number): Promise<number> {
    const [last] = await this.page(organisationId, { days: { first: 0, count: day / DAY_MS }, limit: 1 });
    return last?.balanceAfter ?? 0;
  }

  async #timeOf(organisationId: string, entryId: number): Promise<number | undefined> {
    const entry = await this.#database
      .selectFrom('ledger_entries')
      .select('created_at')
      .where('organisation_id', '=', organisationId)
      .where('id', '=', entryId)
      .executeTakeFirst();
    return entry?.created_at;
  }

  /** All entries of an organisation, or only those of a kind and of some days, newest first, page by page. */
  all(organisationId: string, only: LedgerFilter = {}): AsyncGenerator<LedgerLine[]> {
    return pagesOf((limit, last: LedgerLine | undefined) =>
      this.page(organisationId, { ...only, before: last?.id, limit }),
    );
  }

  /**
   * Credits used on each day, oldest first. A day without use has 0.
   * @param user only use by this key or person; null: only use by people; absent: all use
   */
  async useByDay(organisationId: string, days: Days, user?: string | null): Promise<DayUse[]> {
    let query = this.#use(organisationId, days);
    if (user === null) {
      query = query.where('user_id', 'not in', this.#keys(organisationId));
    } else if (user !== undefined) {
      query = query.where('user_id', '=', user);
    }
    const rows = await query
      .select(({ fn }) => ['day', fn.sum<number>('credits').as('credits')])
      .groupBy('day')
      .execute();
    const used = new Map(rows.map(({ day, credits }) => [day, credits]));
    return Array.from({ length: days.count }, (_, index) => {
      const day = days.first + index * DAY_MS;
      return { day, credits: Math.max(0, used.get(day) ?? 0) };
    });
  }

  /**
   * Credits used by keys or by people, highest first: those of the hundred that used most, of the others of that kind, and of
   * all that are not of that kind.
   */
  async useBy(kind: UserKind, organisationId: string, days: Days): Promise<UseBy> {
    const [mine, others] = kind === 'key' ? (['is not', 'is'] as const) : (['is', 'is not'] as const);
    // Added up first: so few rows are joined.
    const sums = this.#use(organisationId, days)
      .select(({ fn }) => ['user_id as id', fn.sum<number>('credits').as('credits'), fn.sum<number>('jobs').as('jobs')])
      .groupBy('user_id');
    const uses = this.#database.selectFrom(sums.as('use')).leftJoin('api_keys', 'api_keys.id', 'use.id');
    const sumOf = (which: 'is' | 'is not') =>
      uses
        .select(({ fn }) => [
          fn.countAll<number>().as('users'),
          fn.coalesce(fn.sum<number>('use.credits'), sql<number>`0`).as('credits'),
          fn.coalesce(fn.sum<number>('use.jobs'), sql<number>`0`).as('jobs'),
        ])
        .where('api_keys.id', which, null)
        .executeTakeFirstOrThrow();
    const [users, all, { credits, jobs }] = await Promise.all([
      uses
        .leftJoin('people', 'people.id', 'use.id')
        .select(['use.id', 'use.credits', 'use.jobs', kind === 'key' ? 'api_keys.name' : 'people.name'])
        .where('api_keys.id', mine, null)
        .orderBy('use.credits', 'desc')
        .orderBy('use.id')
        .limit(MAX_USERS)
        .execute(),
      sumOf(mine),
      sumOf(others),
    ]);
    const more = users.reduce(
      (rest, use) => ({ users: rest.users - 1, credits: rest.credits - use.credits, jobs: rest.jobs - use.jobs }),
      all,
    );
    return { users, more, others: { credits, jobs } };
  }

  /** The jobs that cost most, less what was refunded. Jobs that were deleted are not among them. */
  async useByJob(organisationId: string, { first, count }: Days, limit: number): Promise<JobUse[]> {
    const ofOrganisation = this.#database.selectFrom('jobs').select('id').where('organisation_id', '=', organisationId);
    const inOrderOfTime = ofOrganisation
      .where('created_at', '>=', first)
      .where('created_at', '<', first + count * DAY_MS);
    const hasMany = (await inOrderOfTime.orderBy('created_at').limit(1).offset(FEW_JOBS).execute()).length > 0;
    // Of many jobs, the index by cost has the first ones soon. A sum keeps databases from taking the index by time.
    const inOrderOfCost = ofOrganisation
      .where((row) => row(row('created_at', '+', 0), '>=', first))
      .where((row) => row(row('created_at', '+', 0), '<', first + count * DAY_MS));
    const most = (hasMany ? inOrderOfCost : inOrderOfTime)
      .orderBy('credits_used', 'desc')
      .orderBy('created_at', 'desc')
      .limit(limit);
    return this.#database
      .selectFrom(most.as('most'))
      .innerJoin('jobs', 'jobs.id', 'most.id')
      .leftJoin('ledger_entries as charge', (join) =>
        join.onRef('charge.job_id', '=', 'jobs.id').on('charge.kind', '=', 'charge'),
      )
      .leftJoin('api_keys', 'api_keys.id', 'charge.key_id')
      .leftJoin('people', 'people.id', 'charge.person_id')
      .select(['jobs.id', 'jobs.name', 'jobs.created_at as createdAt', 'jobs.credits_used as credits'])
      .select(['api_keys.name as keyName', 'people.name as personName'])
      .where('jobs.expires_at', '>', Date.now())
      .orderBy('jobs.credits_used', 'desc')
      .orderBy('jobs.created_at', 'desc')
      .execute();
  }

  #keys(organisationId: string) {
    return this.#database
      .selectFrom('api_keys')
      .select('api_keys.id')
      .where('api_keys.organisation_id', '=', organisationId);
  }

  #use(organisationId: string, { first, count }: Days) {
    return this.#database
      .selectFrom('ledger_days')
      .where('organisation_id', '=', organisationId)
      .where('day', '>=', first)
      .where('day', '<', first + count * DAY_MS);
  }
}
