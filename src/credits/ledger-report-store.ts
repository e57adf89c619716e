/** Reports on the ledger: pages of entries, and credits used per day and per key. */

import type { Database } from '../database/connection.js';
import type { LedgerEntryKind } from '../database/schema.js';

const DAY_MS = 86_400_000;

export interface LedgerLine {
  id: number;
  kind: LedgerEntryKind;
  /** Signed: a charge is negative. */
  amount: number;
  balanceAfter: number;
  jobId: string | null;
  reason: string;
  /** Name of the API key or the person who caused the entry. Both null: the service itself or the command line did. */
  keyName: string | null;
  personName: string | null;
  /** Unix milliseconds. */
  createdAt: number;
}

export interface LedgerPage {
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

export interface KeyUse {
  /** Null: used by people in the studio. */
  keyId: string | null;
  keyName: string | null;
  credits: number;
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
      .select(['entry.id', 'entry.kind', 'entry.amount', 'entry.balance_after as balanceAfter'])
      .select(['entry.job_id as jobId', 'entry.reason', 'entry.created_at as createdAt'])
      .select(['api_keys.name as keyName', 'people.name as personName'])
      .where('entry.organisation_id', '=', organisationId);
    if (kind !== undefined) {
      query = query.where('entry.kind', '=', kind);
    }
    if (before !== undefined) {
      query = query.where('entry.id', '<', before);
    }
    return query.orderBy('entry.id', 'desc').limit(limit).execute();
  }

  /** All entries of an organisation, or only those of one kind, newest first. Holds one page in memory. */
  async *all(organisationId: string, kind?: LedgerEntryKind): AsyncGenerator<LedgerLine> {
    const limit = 1_000;
    for (let before: number | undefined; ; ) {
      const page = await this.page(organisationId, { kind, before, limit });
      yield* page;
      before = page.at(-1)?.id;
      if (page.length < limit) {
        return;
      }
    }
  }

  /**
   * Credits used in each of the last `days` days, today included, oldest first. A day without use has 0.
   * @param keyId only use by this key; null: only use by people; absent: all use
   */
  async useByDay(organisationId: string, days: number, keyId?: string | null, now = Date.now()): Promise<DayUse[]> {
    const first = firstDayOf(days, now);
    const all = this.#use(organisationId, first);
    const rows = await (keyId === undefined ? all : all.where('key_id', keyId === null ? 'is' : '=', keyId))
      .select((column) => [
        column('created_at', '-', column('created_at', '%', DAY_MS)).as('day'),
        column.fn.sum<number>('amount').as('amount'),
      ])
      .groupBy('day')
      .execute();
    const used = new Map(rows.map(({ day, amount }) => [day, -amount]));
    return Array.from({ length: days }, (_, index) => {
      const day = first + index * DAY_MS;
      return { day, credits: Math.max(0, used.get(day) ?? 0) };
    });
  }

  /** Credits used by each key in the last `days` days, highest first. */
  async useByKey(organisationId: string, days: number, now = Date.now()): Promise<KeyUse[]> {
    const rows = await this.#use(organisationId, firstDayOf(days, now))
      .leftJoin('api_keys', 'api_keys.id', 'ledger_entries.key_id')
      .select(['ledger_entries.key_id as keyId', 'api_keys.name as keyName'])
      .select(({ fn }) => [fn.sum<number>('amount').as('amount'), fn.count<number>('job_id').distinct().as('jobs')])
      .groupBy(['ledger_entries.key_id', 'api_keys.name'])
      .orderBy('amount')
      .execute();
    return rows.map(({ keyId, keyName, amount, jobs }) => ({ keyId, keyName, credits: -amount, jobs }));
  }

  #use(organisationId: string, since: number) {
    return this.#database
      .selectFrom('ledger_entries')
      .where('ledger_entries.organisation_id', '=', organisationId)
      .where('kind', 'in', ['charge', 'refund'])
      .where('ledger_entries.created_at', '>=', since);
  }
}

/** Start of the first of the last `days` days, today included. */
function firstDayOf(days: number, now: number): number {
  return now - (now % DAY_MS) - (days - 1) * DAY_MS;
}
