/** Reports on the ledger: pages of entries, and credits used per day and per key. */

import { DAY_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { pagesOf } from '../database/keyset.js';
import type { LedgerEntryKind } from '../database/schema.js';
import { startOfDay } from './ledger-day-store.js';

/** Maximum number of listed keys. An organisation may have used any number of them. */
const MAX_KEYS = 100;

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

interface LedgerPage {
  kind?: LedgerEntryKind | undefined;
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

interface KeyUse {
  /** Null: used by people in the studio. */
  keyId: string | null;
  keyName: string | null;
  credits: number;
  /** Jobs that were charged. */
  jobs: number;
}

export class LedgerReportStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** One page of an organisation's entries, newest first. */
  async page(organisationId: string, { kind, before, limit }: LedgerPage): Promise<LedgerLine[]> {
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
    if (before !== undefined) {
      query = query.where('entry.id', '<', before);
    }
    const rows = await query.orderBy('entry.id', 'desc').limit(limit).execute();
    return rows.map(({ foundJob, ...line }) => ({ ...line, hasJob: foundJob !== null }));
  }

  /** All entries of an organisation, or only those of one kind, newest first, page by page. */
  all(organisationId: string, kind?: LedgerEntryKind): AsyncGenerator<LedgerLine[]> {
    return pagesOf((limit, last: LedgerLine | undefined) =>
      this.page(organisationId, { kind, before: last?.id, limit }),
    );
  }

  /**
   * Credits used in each of the last `days` days, today included, oldest first. A day without use has 0.
   * @param keyId only use by this key; null: only use by people; absent: all use
   */
  async useByDay(organisationId: string, days: number, keyId?: string | null, now = Date.now()): Promise<DayUse[]> {
    const first = firstDayOf(days, now);
    const all = this.#use(organisationId, first);
    const rows = await (keyId === undefined ? all : all.where('key_id', '=', keyId ?? ''))
      .select(({ fn }) => ['day', fn.sum<number>('credits').as('credits')])
      .groupBy('day')
      .execute();
    const used = new Map(rows.map(({ day, credits }) => [day, credits]));
    return Array.from({ length: days }, (_, index) => {
      const day = first + index * DAY_MS;
      return { day, credits: Math.max(0, used.get(day) ?? 0) };
    });
  }

  /** Credits used by each key in the last `days` days, highest first: those of the hundred that used most. */
  async useByKey(organisationId: string, days: number, now = Date.now()): Promise<KeyUse[]> {
    const keys = this.#use(organisationId, firstDayOf(days, now))
      .select(({ fn }) => ['key_id', fn.sum<number>('credits').as('credits'), fn.sum<number>('jobs').as('jobs')])
      .groupBy('key_id')
      .orderBy('credits', 'desc')
      .orderBy('key_id')
      .limit(MAX_KEYS);
    const rows = await this.#database
      .selectFrom(keys.as('use'))
      .leftJoin('api_keys', 'api_keys.id', 'use.key_id')
      .select(['use.key_id as keyId', 'api_keys.name as keyName', 'use.credits', 'use.jobs'])
      .orderBy('use.credits', 'desc')
      .orderBy('use.key_id')
      .execute();
    return rows.map(({ keyId, ...use }) => ({ keyId: keyId === '' ? null : keyId, ...use }));
  }

  #use(organisationId: string, since: number) {
    return this.#database
      .selectFrom('ledger_days')
      .where('organisation_id', '=', organisationId)
      .where('day', '>=', since);
  }
}

/** Start of the first of the last `days` days, today included. */
function firstDayOf(days: number, now: number): number {
  return startOfDay(now) - (days - 1) * DAY_MS;
}
