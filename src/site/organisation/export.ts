/** An organisation's data as files: a table as CSV, and all of it as a ZIP file, without any credentials. */

import { PassThrough, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';
import type { ApiKey } from '../../accounts/keys/api-key-store.js';
import { allAuditEntries, type AuditEntry } from '../../accounts/audit-store.js';
import type { Member } from '../../accounts/organisations/membership-store.js';
import type { LedgerFilter, LedgerLine } from '../../credits/ledger-report-store.js';
import type { ListedJob } from '../../jobs/job-list-store.js';
import { type Cell, csvHead, csvLine } from '../shell/csv.js';
import type { Needs } from '../shell/page-dependencies.js';

/** The columns of a table by their names, each with its cell of a row. */
type Columns<Line> = Readonly<Record<string, (line: Line) => Cell>>;

/** A table, page by page: a piece for each line would be more work than the line. */
async function* csv<Line>(columns: Columns<Line>, pages: AsyncIterable<readonly Line[]>): AsyncGenerator<string> {
  yield csvHead(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const lines of pages) {
    yield lines.map((line) => csvLine(cells.map((cell) => cell(line)))).join('');
  }
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

const LEDGER: Columns<LedgerLine> = {
  time: ({ createdAt }) => isoTime(createdAt),
  kind: ({ kind, amount }) => (kind === 'grant' && amount < 0 ? 'taken back' : kind),
  amount: ({ amount }) => amount,
  balance_after: ({ balanceAfter }) => balanceAfter,
  job: ({ jobId }) => jobId,
  job_name: ({ jobName }) => jobName,
  key: ({ keyName }) => keyName,
  person: ({ personName }) => personName,
  reason: ({ reason }) => reason,
};

const JOBS: Columns<ListedJob> = {
  job: ({ id }) => id,
  name: ({ name }) => name,
  status: ({ status }) => status,
  items: ({ total }) => total,
  completed: ({ completed }) => completed,
  failed: ({ failed }) => failed,
  credits_charged: ({ creditsCharged }) => creditsCharged,
  credits_refunded: ({ creditsRefunded }) => creditsRefunded,
  archive_bytes: ({ archiveBytes }) => archiveBytes,
  key: ({ keyName }) => keyName,
  person: ({ personName }) => personName,
  created: ({ createdAt }) => isoTime(createdAt),
  ended: ({ endedAt }) => isoTime(endedAt),
};

const MEMBERS: Columns<Member> = {
  name: ({ name }) => name,
  email: ({ email }) => email,
  role: ({ role }) => role,
  joined: ({ joinedAt }) => isoTime(joinedAt),
};

const KEYS: Columns<ApiKey> = {
  name: ({ name }) => name,
  prefix: ({ prefix }) => prefix,
  access: ({ access }) => access,
  created_by: ({ createdBy }) => createdBy,
  created: ({ createdAt }) => isoTime(createdAt),
  last_used: ({ lastUsedAt }) => isoTime(lastUsedAt),
  expires: ({ expiresAt }) => isoTime(expiresAt),
  revoked: ({ revokedAt }) => isoTime(revokedAt),
};

const AUDIT: Columns<AuditEntry> = {
  time: ({ createdAt }) => isoTime(createdAt),
  person: ({ personName }) => personName,
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  address: ({ address }) => address,
};

/** The ledger as CSV, or only its entries of a kind and of some days. It is read page by page. */
export function ledgerCsv(
  { ledgerReports }: Needs<'ledgerReports'>,
  organisationId: string,
  only: LedgerFilter = {},
): AsyncGenerator<string> {
  return csv(LEDGER, ledgerReports.all(organisationId, only));
}

export type Exported = Needs<'ledgerReports' | 'jobList' | 'memberships' | 'keys' | 'database'>;

/** The archive as a stream. Ledger and jobs are read page by page meanwhile. */
export function exportArchive(needs: Exported, organisationId: string): Readable {
  const archive = new ZipArchive({ zlib: { level: 6 } });
  const output = new PassThrough();
  const add = (name: string, lines: AsyncIterable<string>) => {
    const file = Readable.from(lines, { objectMode: false });
    // The archive itself does not listen for errors of what it packs.
    file.on('error', (error) => output.destroy(error));
    archive.append(file, { name });
  };
  add('ledger.csv', ledgerCsv(needs, organisationId));
  add('jobs.csv', csv(JOBS, needs.jobList.all(organisationId)));
  add(
    'members.csv',
    csv(
      MEMBERS,
      onePage(() => needs.memberships.members(organisationId)),
    ),
  );
  add(
    'keys.csv',
    csv(
      KEYS,
      onePage(() => needs.keys.list(organisationId)),
    ),
  );
  add('audit.csv', csv(AUDIT, allAuditEntries(needs.database, organisationId)));
  archive.on('error', (error: Error) => output.destroy(error));
  output.on('close', () => archive.abort());
  archive.pipe(output);
  void archive.finalize().catch((error: unknown) => output.destroy(error as Error));
  return output;
}

async function* onePage<Line>(read: () => Promise<Line[]>): AsyncGenerator<Line[]> {
  yield await read();
}
