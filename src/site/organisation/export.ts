/** Data as files: lines of CSV (RFC 4180), and an organisation's data as a ZIP file, without any credentials. */

import { PassThrough, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import { allAuditEntries } from '../../accounts/audit-store.js';
import type { LedgerEntryKind } from '../../database/schema.js';
import type { PageDependencies } from '../page-dependencies.js';

type Row = readonly (string | number | null)[];

/** First characters of a cell that a spreadsheet treats as a formula. The full-width forms count in some languages. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A line with its line end. An apostrophe precedes text that a spreadsheet would treat as a formula. */
export function csvLine(cells: Row): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (typeof value !== 'string') {
    return value === null ? '' : String(value);
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table, page by page: a piece for each line would be more work than the line. */
async function* csv(columns: readonly string[], pages: AsyncIterable<Row[]>): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const rows of pages) {
    yield rows.map(csvLine).join('');
  }
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The ledger as CSV, or only its entries of one kind. It is read page by page. */
export function ledgerCsv(
  dependencies: PageDependencies,
  organisationId: string,
  kind?: LedgerEntryKind,
): AsyncGenerator<string> {
  const columns = ['time', 'kind', 'amount', 'balance_after', 'job', 'key', 'person', 'reason'];
  return csv(columns, ledger(dependencies, organisationId, kind));
}

async function* ledger(
  { ledgerReports }: PageDependencies,
  organisationId: string,
  kind: LedgerEntryKind | undefined,
): AsyncGenerator<Row[]> {
  for await (const lines of ledgerReports.all(organisationId, kind)) {
    yield lines.map(({ createdAt, kind: its, amount, balanceAfter, jobId, keyName, personName, reason }) => [
      isoTime(createdAt),
      its,
      amount,
      balanceAfter,
      jobId,
      keyName,
      personName,
      reason,
    ]);
  }
}

/** The archive as a stream. Ledger and jobs are read page by page meanwhile. */
export function exportArchive(dependencies: PageDependencies, organisationId: string): Readable {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const output = new PassThrough();
  const add = (name: string, lines: AsyncIterable<string>) =>
    archive.append(Readable.from(lines, { objectMode: false }), { name });
  add('ledger.csv', ledgerCsv(dependencies, organisationId));
  add('jobs.csv', csv(JOB_COLUMNS, jobs(dependencies, organisationId)));
  add('members.csv', csv(['name', 'email', 'role', 'joined'], members(dependencies, organisationId)));
  const keyColumns = ['name', 'prefix', 'access', 'created_by', 'created', 'last_used', 'expires', 'revoked'];
  add('keys.csv', csv(keyColumns, keys(dependencies, organisationId)));
  add('audit.csv', csv(['time', 'person', 'action', 'subject', 'address'], auditLog(dependencies, organisationId)));
  archive.on('error', (error: Error) => output.destroy(error));
  output.on('close', () => archive.abort());
  archive.pipe(output);
  void archive.finalize().catch((error: unknown) => output.destroy(error as Error));
  return output;
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

async function* jobs({ jobList }: PageDependencies, organisationId: string): AsyncGenerator<Row[]> {
  for await (const page of jobList.all(organisationId)) {
    yield page.map((job) => [
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
    ]);
  }
}

async function* members({ memberships }: PageDependencies, organisationId: string): AsyncGenerator<Row[]> {
  const all = await memberships.members(organisationId);
  yield all.map(({ name, email, role, joinedAt }) => [name, email, role, isoTime(joinedAt)]);
}

async function* keys({ keys: store }: PageDependencies, organisationId: string): AsyncGenerator<Row[]> {
  const all = await store.list(organisationId);
  yield all.map(({ name, prefix, access, createdBy, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
    name,
    prefix,
    access,
    createdBy,
    isoTime(createdAt),
    isoTime(lastUsedAt),
    isoTime(expiresAt),
    isoTime(revokedAt),
  ]);
}

async function* auditLog({ database }: PageDependencies, organisationId: string): AsyncGenerator<Row[]> {
  for await (const page of allAuditEntries(database, organisationId)) {
    yield page.map(({ createdAt, personName, action, subject, address }) => [
      isoTime(createdAt),
      personName,
      action,
      subject,
      address,
    ]);
  }
}
