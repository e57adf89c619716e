/** An organisation's data as a ZIP file: ledger, jobs, members and keys, without anything that opens a door. */

import { PassThrough, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import { csvLine, isoTime, ledgerColumns, ledgerRow } from './csv.js';
import type { PageRooms } from './page-rooms.js';

type Row = readonly (string | number | null)[];

/** The archive as it is made; the ledger and the jobs are read page by page while it is. */
export function exportArchive(rooms: PageRooms, organisationId: string): Readable {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const output = new PassThrough();
  const add = (name: string, columns: readonly string[], rows: AsyncIterable<Row>) =>
    archive.append(Readable.from(csv(columns, rows), { objectMode: false }), { name });
  add('ledger.csv', ledgerColumns, ledger(rooms, organisationId));
  add('jobs.csv', JOB_COLUMNS, jobs(rooms, organisationId));
  add('members.csv', ['name', 'email', 'role', 'joined'], members(rooms, organisationId));
  add('keys.csv', ['name', 'prefix', 'created_by', 'created', 'last_used', 'revoked'], keys(rooms, organisationId));
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

async function* ledger({ ledgerReports }: PageRooms, organisationId: string): AsyncGenerator<Row> {
  for await (const line of ledgerReports.all(organisationId)) {
    yield ledgerRow(line);
  }
}

const JOB_COLUMNS = [
  'job',
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

async function* jobs({ jobLists }: PageRooms, organisationId: string): AsyncGenerator<Row> {
  for await (const job of jobLists.all(organisationId)) {
    yield [
      job.id,
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

async function* members({ memberships }: PageRooms, organisationId: string): AsyncGenerator<Row> {
  for (const { name, email, role, joinedAt } of await memberships.members(organisationId)) {
    yield [name, email, role, isoTime(joinedAt)];
  }
}

async function* keys({ keys: store }: PageRooms, organisationId: string): AsyncGenerator<Row> {
  for (const { name, prefix, createdBy, createdAt, lastUsedAt, revokedAt } of await store.list(organisationId)) {
    yield [name, prefix, createdBy, isoTime(createdAt), isoTime(lastUsedAt), isoTime(revokedAt)];
  }
}
