/** Checks the invariants of ledger, jobs and archives. They hold at every moment, even while the service runs. */

import { setTimeout as delay } from 'node:timers/promises';
import { forEachAtOnce } from '../platform/concurrency.js';
import { counted } from '../platform/counted.js';
import type { Database } from '../database/connection.js';
import { type BlobStore, hasBlobs } from '../storage/blob-store.js';
import {
  archiveEndKey,
  chunkSpoolKey,
  isSpoolKey,
  JOBS_PREFIX,
  jobPrefix,
  segmentIndexKey,
  segmentReadingsKey,
  segmentKey,
  smallSpoolKey,
  spoolKey,
} from '../jobs/files/job-files.js';
import { SILENT_MS } from '../jobs/files/process-folder.js';
import { dayText } from '../contract/date-time.js';
import { contentProblems } from './verify-contents.js';
import {
  type JobRows,
  readExisting,
  readJob,
  readJobs,
  readWrongBalances,
  readWrongDays,
  readWrongJobEntries,
} from './verify-store.js';

/** A violated invariant, and whom it concerns. */
export interface Violation {
  /** `organisation <id>` or `job <id>`. */
  subject: string;
  /** The problem, with the contradicting figures. */
  problem: string;
  /** Present when the violation was repaired. */
  repaired?: true;
}

export interface VerifyOptions {
  /** Time to wait for the rows of files without a row. */
  graceMs?: number;
  /** Deletes spools that will never become jobs. */
  repair?: boolean;
  /** Reads every picture that is kept, and compares it with its CRC-32. */
  contents?: boolean;
}

interface VerifyDependencies {
  database: Database;
  storage: BlobStore;
}

/** A job's spool is stored a moment before its row, so files without a row are checked again for this long. */
const GRACE_MS = 5_000;
const CHECK_INTERVAL_MS = 100;

/** Jobs whose files are looked for at a time. */
const LISTS_AT_ONCE = 16;

/**
 * After this time without a job, a spool is abandoned: its process is gone, and so is the host that could have settled
 * its drafts.
 */
const ABANDONED_MS = SILENT_MS;

/** Finds every violation. An empty list means that all invariants hold. */
export async function verify(
  { database, storage }: VerifyDependencies,
  { graceMs = GRACE_MS, repair = false, contents = false }: VerifyOptions = {},
): Promise<Violation[]> {
  const violations: Violation[] = [
    ...(await verifyBalances(database)),
    ...(await verifyDays(database)),
    ...(await verifyJobEntries(database)),
  ];
  const stored = storedJobs(storage);
  const withoutRows: string[] = [];
  let next = await stored.next();
  for await (const [id, rows] of readJobs(database)) {
    for (; next.done !== true && next.value.jobId < id; next = await stored.next()) {
      withoutRows.push(next.value.jobId);
    }
    let files = new Map<string, number>();
    if (next.done !== true && next.value.jobId === id) {
      ({ files } = next.value);
      next = await stored.next();
    }
    let problems = await problemsOf(rows, files, storage, contents);
    if (problems.length > 0) {
      // The rows of its page may be hours older than its files: much is read of the jobs before it.
      const filesNow = await filesOf(id, storage);
      const rowsNow = await readJob(database, id);
      problems = rowsNow.length === 0 ? [] : await problemsOf(rowsNow, filesNow, storage, contents);
    }
    violations.push(...problems.map((problem) => ({ subject: `job ${id}`, problem })));
  }
  for (; next.done !== true; next = await stored.next()) {
    withoutRows.push(next.value.jobId);
  }
  const nobodys = await withoutRow(withoutRows, { database, storage }, graceMs);
  for (const id of nobodys) {
    const [subject, problem] = [`job ${id}`, 'has files, but no row'];
    const fate = repair ? await deleteAbandoned(id, storage) : 'kept';
    if (fate === 'young') {
      violations.push({ subject, problem: `${problem}; --repair leaves them until they are a day old` });
    } else {
      violations.push({ subject, problem, ...(fate === 'deleted' && { repaired: true }) });
    }
  }
  return violations;
}

/** The problems of a job. @param files listed before the rows were read, or soon after */
async function problemsOf(
  rows: JobRows,
  files: ReadonlyMap<string, number>,
  storage: BlobStore,
  contents: boolean,
): Promise<string[]> {
  const problems = [...rowProblems(rows), ...(await fileProblems(rows, files, storage))];
  return contents && problems.length === 0 && hasFiles(rows) ? contentProblems(rows, storage) : problems;
}

/** The files of a job with their sizes. */
async function filesOf(id: string, storage: BlobStore): Promise<Map<string, number>> {
  const prefix = jobPrefix(id);
  const files = new Map<string, number>();
  for await (const { key, bytes } of storage.list(prefix)) {
    files.set(key.slice(prefix.length + 1), bytes);
  }
  return files;
}

/** The files of each job with their sizes, sorted by job id. A remote store is asked once per thousand files. */
async function* storedJobs(storage: BlobStore) {
  let current: { jobId: string; files: Map<string, number> } | undefined;
  for await (const { key, bytes } of storage.list(JOBS_PREFIX)) {
    const [, jobId = '', ...names] = key.split('/');
    if (current !== undefined && current.jobId !== jobId) {
      yield current;
      current = undefined;
    }
    current ??= { jobId, files: new Map() };
    current.files.set(names.join('/'), bytes);
  }
  if (current !== undefined) {
    yield current;
  }
}

/**
 * Deletes the spool of a job that was never created. If there are more files than a spool, there was a job, and this
 * may be the wrong database. @returns `young` for a spool that a process may still need
 */
async function deleteAbandoned(id: string, storage: BlobStore): Promise<'deleted' | 'young' | 'kept'> {
  let isYoung = false;
  for await (const { key, writtenAt } of storage.list(jobPrefix(id))) {
    if (!isSpoolKey(key)) {
      return 'kept';
    }
    isYoung ||= Date.now() - writtenAt <= ABANDONED_MS;
  }
  if (isYoung) {
    return 'young';
  }
  await storage.deleteAll(jobPrefix(id));
  return 'deleted';
}

/**
 * Those of the jobs that still have files but no row when the time is up. Others were accepted or expired meanwhile.
 */
async function withoutRow(
  ids: string[],
  { database, storage }: VerifyDependencies,
  graceMs: number,
): Promise<string[]> {
  const deadline = performance.now() + graceMs;
  for (let left = ids; ; await delay(CHECK_INTERVAL_MS)) {
    const withRow = await readExisting(database, left);
    const withFiles = new Set<string>();
    await forEachAtOnce(left, LISTS_AT_ONCE, async (id) => {
      if (await hasBlobs(storage, jobPrefix(id))) {
        withFiles.add(id);
      }
    });
    left = left.filter((id) => !withRow.has(id) && withFiles.has(id));
    if (left.length === 0 || performance.now() >= deadline) {
      return left;
    }
  }
}

async function verifyBalances(database: Database): Promise<Violation[]> {
  const organisations = await readWrongBalances(database);
  return organisations.map(({ id, balance, booked }) => ({
    subject: `organisation ${id}`,
    problem: `its balance is ${balance}, its ledger entries add up to ${booked}`,
  }));
}

async function verifyDays(database: Database): Promise<Violation[]> {
  const days = await readWrongDays(database);
  return days.map(({ organisationId, day, userId, credits, jobs }) => ({
    subject: `organisation ${organisationId}`,
    problem: `its ledger entries of ${dayText(day)} by ${userId === '' ? 'nobody' : userId} have ${counted(credits, 'credit')} and ${counted(jobs, 'job')} more than the sums of that day`,
  }));
}

async function verifyJobEntries(database: Database): Promise<Violation[]> {
  const jobs = await readWrongJobEntries(database);
  return jobs.map(({ id, charge, booked }) => ({
    subject: `job ${id}`,
    problem: `its charge is ${-charge}, all its ledger entries add up to ${booked}`,
  }));
}

function rowProblems(rows: JobRows): string[] {
  const [job] = rows as [JobRows[number]];
  const withOutcome = rows.filter(({ chunk_status: status }) => status !== 'pending');
  const ended = job.status === 'complete' || job.status === 'failed';
  const problems: string[] = [];
  const expectEqual = (what: string, found: number | null, expected: number | null) => {
    if (found !== expected) {
      problems.push(`${what}: ${found}, expected ${expected}`);
    }
  };
  expectEqual('items of its chunks', sum(rows, 'item_count'), job.total);
  expectEqual('credits charged', job.credits_charged, job.total);
  expectEqual('ledger entry of its charge', job.charge, -job.credits_charged);
  expectEqual('ledger entry of its refund', job.refund ?? 0, job.credits_refunded);
  expectEqual('has an end', Number(job.ended_at !== null), Number(ended));
  if (job.status !== 'processing') {
    expectEqual('items completed and failed', job.completed + job.failed, job.total);
  }
  if (job.status === 'failed') {
    const kept = job.failure === 'cancelled' ? job.completed : 0;
    expectEqual('credits returned', job.credits_refunded, job.credits_charged - kept);
  } else {
    expectEqual('items with an outcome', job.completed + job.failed, sum(withOutcome, 'item_count'));
    expectEqual('failed items', job.failed, sum(withOutcome, 'failed_items'));
    expectEqual('credits returned', job.credits_refunded, ended ? job.failed : 0);
  }
  if (job.status === 'complete') {
    const behindSegments = (job.header_bytes ?? 0) + (job.end_bytes ?? 0);
    expectEqual('bytes of its archive', job.archive_bytes, sum(rows, 'segment_bytes') + behindSegments);
    if (job.header_bytes !== 0) {
      expectEqual('bytes of its headers', job.header_bytes, sum(rows, 'chunk_header_bytes'));
    }
  }
  return problems;
}

type Summed = 'item_count' | 'failed_items' | 'segment_bytes' | 'chunk_header_bytes';

function sum(rows: JobRows, column: Summed): number {
  return rows.reduce((total, row) => total + (row[column] ?? 0), 0);
}

/** The numbers of all attempts up to the latest. */
function attempts(latest: number): number[] {
  return Array.from({ length: latest }, (_, earlier) => earlier + 1);
}

/** False for failed jobs, whose files nobody needs, and for expired ones, which may be in deletion. */
function hasFiles(rows: JobRows): boolean {
  const [job] = rows as [JobRows[number]];
  return job.status !== 'failed' && job.expires_at > Date.now();
}

/**
 * Skips jobs without files. Asks the store about a file
 * if the listing is older than the row, and about blobs stored in rows.
 */
async function fileProblems(rows: JobRows, listed: ReadonlyMap<string, number>, storage: BlobStore): Promise<string[]> {
  const [job] = rows as [JobRows[number]];
  if (!hasFiles(rows)) {
    return [];
  }
  const prefix = `${jobPrefix(job.id)}/`;
  const expected = spoolsOf(rows);
  // Files of earlier attempts are allowed: they may be left over or still to come.
  const names = new Set(expected.map(([key]) => key));
  for (const attempt of attempts(job.finish_attempt)) {
    names.add(archiveEndKey(job.id, attempt));
  }
  for (const { position, attempt: latest, ...row } of rows) {
    const { segment_bytes: segmentBytes, index_bytes: indexBytes, readings_bytes: readingsBytes } = row;
    if (position !== null && latest !== null) {
      for (const attempt of attempts(latest)) {
        for (const key of [segmentKey, segmentIndexKey, segmentReadingsKey]) {
          names.add(key(job.id, position, attempt));
        }
      }
      if (readingsBytes) {
        expected.push([segmentReadingsKey(job.id, position, latest), readingsBytes]);
      }
      if (segmentBytes) {
        expected.push([segmentKey(job.id, position, latest), segmentBytes]);
        expected.push([segmentIndexKey(job.id, position, latest), indexBytes]);
      }
    }
  }
  if (job.status === 'complete') {
    expected.push([archiveEndKey(job.id, job.finish_attempt), job.end_bytes]);
  }
  // Concurrently: a remote store takes its time for each answer.
  const found = await Promise.all(
    expected.map(async ([key]) => listed.get(key.slice(prefix.length)) ?? storage.size(key)),
  );
  const problems = expected
    .map(([key, bytes], index) => ({ key, bytes, there: found[index] }))
    .filter(({ bytes, there }) => there !== bytes)
    .map(({ key, bytes, there }) => `${key}: ${there ?? 'no'} bytes, expected ${bytes}`);
  const strange = [...listed.keys()].filter((name) => !names.has(prefix + name));
  return [...problems, ...strange.map((name) => `${name}: a file that belongs to nothing`)];
}

type ExpectedFile = [key: string, bytes: number | null];

/** Either one spool, or one per chunk, each with the header of the whole. */
function spoolsOf(rows: JobRows): ExpectedFile[] {
  const [job] = rows as [JobRows[number]];
  if (job.attempt === 0 && job.chunk_status === 'done') {
    return [[smallSpoolKey(job.id), job.spool_bytes]];
  }
  if (job.spool_bytes !== 0) {
    return [[spoolKey(job.id), job.spool_bytes]];
  }
  const headerBytes = job.spool_offset ?? 0;
  return rows.flatMap(({ position, chunk_spool_bytes: bytes }): ExpectedFile[] =>
    position === null || bytes === null ? [] : [[chunkSpoolKey(job.id, position), headerBytes + bytes]],
  );
}
