/** Reads the rows that `verify` compares: balances with ledger entries, jobs with their chunks and entries. */

import { sql } from 'kysely';
import { DAY_MS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';

/** Jobs per query, which also reads their chunks. */
const PAGE = 100;

/** SQLite allows 32,766 parameters. */
const IDS_PER_QUERY = 1_000;

/** One row per chunk of a job. A job without chunks has one row. */
export type JobRows = Awaited<ReturnType<typeof readRows>>;

/** Organisations whose balance is not the sum of their ledger entries, with that sum. */
export function readWrongBalances(database: Database): Promise<{ id: string; balance: number; booked: number }[]> {
  return database
    .selectFrom('organisations')
    .leftJoin('ledger_entries', 'ledger_entries.organisation_id', 'organisations.id')
    .select(['organisations.id', 'organisations.balance'])
    .select(sql<number>`coalesce(sum(ledger_entries.amount), 0)`.as('booked'))
    .groupBy(['organisations.id', 'organisations.balance'])
    .having(sql<boolean>`organisations.balance <> coalesce(sum(ledger_entries.amount), 0)`)
    .execute();
}

/** Days whose sums differ from those of their ledger entries: what the entries add up to, less what the day says. */
export function readWrongDays(
  database: Database,
): Promise<{ organisationId: string; day: number; userId: string; credits: number; jobs: number }[]> {
  const entries = database
    .selectFrom('ledger_entries')
    .select(['organisation_id as organisationId'])
    .select(({ fn }) => [
      sql<number>`created_at - created_at % ${sql.lit(DAY_MS)}`.as('day'),
      fn.coalesce('key_id', 'person_id', sql.lit('')).as('userId'),
      sql<number>`-amount`.as('used'),
      sql<number>`case when kind = 'charge' then 1 else 0 end`.as('charges'),
    ])
    .where('kind', 'in', ['charge', 'refund']);
  const days = database
    .selectFrom('ledger_days')
    .select(['organisation_id as organisationId', 'day', 'user_id as userId'])
    .select([sql<number>`-credits`.as('used'), sql<number>`-jobs`.as('charges')]);
  // One statement, so that both are of the same moment.
  return database
    .selectFrom(entries.unionAll(days).as('line'))
    .select(['organisationId', 'day', 'userId'])
    .select(({ fn }) => [fn.sum<number>('used').as('credits'), fn.sum<number>('charges').as('jobs')])
    .groupBy(['organisationId', 'day', 'userId'])
    .having(sql<boolean>`sum(used) <> 0 or sum(charges) <> 0`)
    .execute();
}

/**
 * Jobs that have no charge, or more refunded than charged, with the sums of their ledger entries. Includes deleted jobs:
 * entries outlive jobs.
 */
export function readWrongJobEntries(
  database: Database,
): Promise<{ id: string | null; booked: number; charge: number }[]> {
  return database
    .selectFrom('ledger_entries')
    .select(({ fn }) => ['job_id as id', fn.sum<number>('amount').as('booked'), fn.min('amount').as('charge')])
    .where('job_id', 'is not', null)
    .groupBy('job_id')
    .having(sql<boolean>`min(amount) >= 0 or sum(amount) > 0`)
    .execute();
}

/** The ids of committed jobs. */
export async function readExisting(database: Database, ids: readonly string[]): Promise<Set<string>> {
  const existing = new Set<string>();
  for (let first = 0; first < ids.length; first += IDS_PER_QUERY) {
    const some = ids.slice(first, first + IDS_PER_QUERY);
    for (const { id } of await database.selectFrom('jobs').select('id').where('id', 'in', some).execute()) {
      existing.add(id);
    }
  }
  return existing;
}

/** All jobs, sorted by id, each with one row per chunk. One statement per page, so that a job's rows are consistent. */
export async function* readJobs(database: Database): AsyncGenerator<[id: string, rows: JobRows]> {
  for (let last = ''; ; ) {
    const jobs = new Map<string, JobRows>();
    for (const row of await readRows(database, '>', last)) {
      const rows = jobs.get(row.id) ?? [];
      rows.push(row);
      jobs.set(row.id, rows);
      last = row.id;
    }
    yield* jobs;
    if (jobs.size < PAGE) {
      return;
    }
  }
}

/** The rows of one job. None when there is no such job. */
export function readJob(database: Database, id: string): Promise<JobRows> {
  return readRows(database, '=', id);
}

async function readRows(database: Database, comparison: '>' | '=', id: string) {
  const page = database.selectFrom('jobs').selectAll().where('id', comparison, id).orderBy('id').limit(PAGE);
  return database
    .selectFrom(page.as('jobs'))
    .leftJoin('chunks', 'chunks.job_id', 'jobs.id')
    .leftJoin('ledger_entries as charge', (join) =>
      join.onRef('charge.job_id', '=', 'jobs.id').on('charge.kind', '=', 'charge'),
    )
    .leftJoin('ledger_entries as refund', (join) =>
      join.onRef('refund.job_id', '=', 'jobs.id').on('refund.kind', '=', 'refund'),
    )
    .select([
      'jobs.id',
      'jobs.status',
      'jobs.total',
      'jobs.completed',
      'jobs.failed',
      'jobs.credits_charged',
      'jobs.failure',
    ])
    .select(['jobs.credits_refunded', 'jobs.spool_bytes', 'jobs.end_bytes', 'jobs.archive_bytes', 'jobs.ended_at'])
    .select(['jobs.header_bytes', 'chunks.index_bytes', 'chunks.readings_bytes'])
    .select('chunks.header_bytes as chunk_header_bytes')
    .select('jobs.expires_at')
    .select(['chunks.position', 'chunks.status as chunk_status', 'chunks.item_count', 'chunks.segment_bytes'])
    .select(['chunks.spool_offset', 'chunks.spool_bytes as chunk_spool_bytes'])
    .select([
      'jobs.finish_attempt',
      'chunks.attempt',
      'chunks.failed_items',
      'charge.amount as charge',
      'refund.amount as refund',
    ])
    .orderBy('jobs.id')
    .orderBy('chunks.position')
    .execute();
}
