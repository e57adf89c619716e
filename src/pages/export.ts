/** An organisation's data as a ZIP file: ledger, jobs, members and keys, without any credentials. */

import { PassThrough, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import { csvLine, isoTime, ledgerColumns, ledgerRow } from './csv.js';
import type { PageDependencies } from './page-dependencies.js';

type Row = readonly (string | number | null)[];

/** The archive as a stream. Ledger and jobs are read page by page meanwhile. */
export function exportArchive(dependencies: PageDependencies, organisationId: string): Readable {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const output = new PassThrough();
  const add = (name: string, columns: readonly string[], rows: AsyncIterable<Row>) =>
    archive.append(Readable.from(csv(columns, rows), { objectMode: false }), { name });
  add('ledger.csv', ledgerColumns, ledger(dependencies, organisationId));
  add('jobs.csv', JOB_COLUMNS, jobs(dependencies, organisationId));
  add('members.csv', ['name', 'email', 'role', 'joined'], members(dependencies, organisationId));
  add(
    'keys.csv',
    ['name', 'prefix', 'created_by', 'created', 'last_used', 'revoked'],
    keys(dependencies, organisationId),
  );
  archive.on('error', (error: Error) => output.destroy(error));
  output.on('close', () => archive.abort());
  archive.pipe(output);
  void archive.finalize().catch((error: unknown) => output.destroy(error as Error));
  return output;
}

async function* csv(columns: readonly string[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const row of rows) {
    yield csvLine(row);
  }
}

async function* ledger({ ledgerReports }: PageDependencies, organisationId: string): AsyncGenerator<Row> {
  for await (const line of ledgerReports.all(organisationId)) {
    yield ledgerRow(line);
  }
}

const JOB_COLUMNS = [
  'job',
  'name',
  'status',
  'items',
  'completed',
  'failed',
  'credits_charged',
  'credits_refunded',
  'archive_bytes',
  'key',
  'person',
  'created',
  'ended',
];

async function* jobs({ jobReports }: PageDependencies, organisationId: string): AsyncGenerator<Row> {
  for await (const job of jobReports.all(organisationId)) {
    yield [
      job.id,
      job.name,
      job.status,
      job.total,
      job.completed,
      job.failed,
      job.creditsCharged,
      job.creditsRefunded,
      job.archiveBytes,
      job.keyName,
      job.personName,
      isoTime(job.createdAt),
      isoTime(job.endedAt),
    ];
  }
}

async function* members({ memberships }: PageDependencies, organisationId: string): AsyncGenerator<Row> {
  for (const { name, email, role, joinedAt } of await memberships.members(organisationId)) {
    yield [name, email, role, isoTime(joinedAt)];
  }
}

async function* keys({ keys: store }: PageDependencies, organisationId: string): AsyncGenerator<Row> {
  for (const { name, prefix, createdBy, createdAt, lastUsedAt, revokedAt } of await store.list(organisationId)) {
    yield [name, prefix, createdBy, isoTime(createdAt), isoTime(lastUsedAt), isoTime(revokedAt)];
  }
}
