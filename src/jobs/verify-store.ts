/** Reads the rows that `verify` compares: balances with ledger entries, jobs with their chunks and entries. */

import type { Database } from '../database/connection.js';

/** Jobs per query, which also reads their chunks. */
export const PAGE = 100;

/** One row per chunk of a job. A job without chunks has one row. */
export type JobRows = Awaited<ReturnType<typeof readRows>>;

/** Organisations with the sum of their ledger entries. */
export function readBalances(database: Database): Promise<{ id: string; balance: number; booked: number | null }[]> {
  return database
    .selectFrom('organisations')
    .leftJoin('ledger_entries', 'ledger_entries.organisation_id', 'organisations.id')
    .select(['organisations.id', 'organisations.balance'])
    .select(({ fn }) => fn.sum<number | null>('ledger_entries.amount').as('booked'))
    .groupBy(['organisations.id', 'organisations.balance'])
    .execute();
}

/** Sums of ledger entries by job, including deleted jobs: entries outlive jobs. */
export function readJobEntries(database: Database): Promise<{ id: string | null; booked: number; charge: number }[]> {
  return database
    .selectFrom('ledger_entries')
    .select(({ fn }) => ['job_id as id', fn.sum<number>('amount').as('booked'), fn.min('amount').as('charge')])
    .where('job_id', 'is not', null)
    .groupBy('job_id')
    .execute();
}

/** A page of jobs by id, with one row per chunk. One statement, so that the rows are consistent. */
export async function readJobs(database: Database, after: string): Promise<Map<string, JobRows>> {
  const jobs = new Map<string, JobRows>();
  for (const row of await readRows(database, after)) {
    const rows = jobs.get(row.id) ?? [];
    rows.push(row);
    jobs.set(row.id, rows);
  }
  return jobs;
}

async function readRows(database: Database, after: string) {
  const page = database.selectFrom('jobs').selectAll().where('id', '>', after).orderBy('id').limit(PAGE);
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
    .select(['jobs.header_bytes', 'chunks.index_bytes'])
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
