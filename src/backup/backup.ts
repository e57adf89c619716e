/** Writes a backup while the service runs: the rows of one moment, then the files that they speak of, the secrets and the outbox. */

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../database/connection.js';
import { requireCurrent } from '../database/migrate.js';
import { type Row, readSnapshot, TABLES, type TableName } from '../database/snapshot.js';
import { chunkSpoolKey, jobPrefix, segmentIndexKey, segmentKey, spoolKey } from '../jobs/files/job-files.js';
import type { BlobStore } from '../storage/blob-store.js';
import { type BackupSink, createSink } from './backup-sink.js';
import { type FileRecord, MANIFEST, writeManifest } from './manifest.js';

export interface BackupDependencies {
  database: Database;
  storage: BlobStore;
  /** The generated secrets; there is none where the settings name them. */
  secretsPath: string;
  /** Mails that were written to files. */
  outboxPath: string;
}

export interface BackupOptions {
  /** Version of the program, for the manifest. */
  version: string;
  /** True: the jobs that have ended are kept, with their archives. Their ledger entries always are. */
  archives: boolean;
}

export interface BackupReport {
  files: number;
  bytes: number;
  jobs: number;
}

/** Blobs that the jobs which a backup keeps may have; undefined: all that the store has. */
type KeptJobs = Map<string, string[] | undefined>;

/** Writes a folder, or a file where `path` ends in `.tar`. @throws Error when there is something at `path` */
export async function backUp(
  path: string,
  dependencies: BackupDependencies,
  options: BackupOptions,
): Promise<BackupReport> {
  const migration = await requireCurrent(dependencies.database);
  const createdAt = new Date().toISOString();
  const sink = await createSink(path);
  try {
    const files: FileRecord[] = [];
    const add: BackupSink['add'] = async (...file) => {
      const record = await sink.add(...file);
      files.push(record);
      return record;
    };
    const jobs = await addRows(dependencies.database, options.archives, add);
    await addFiles(dependencies.outboxPath, 'outbox', add);
    await addFile(dependencies.secretsPath, 'secrets', add);
    await addBlobs(jobs, dependencies.storage, add);
    const { version, archives } = options;
    const manifest = writeManifest({ version, createdAt, migration, archives, files });
    await sink.add(MANIFEST, toBytes(manifest), Buffer.byteLength(manifest));
    await sink.finish();
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), jobs: jobs.size };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** A file for each table, a line for each row. */
async function addRows(database: Database, archives: boolean, add: BackupSink['add']): Promise<KeptJobs> {
  const jobs: KeptJobs = new Map();
  await readSnapshot(database, async (read) => {
    const leftOut = new Set<string>();
    for (const [index, table] of TABLES.entries()) {
      const rows = keptRows(table, read(table), { archives, jobs, leftOut });
      await add(`database/${String(index).padStart(2, '0')}-${table}.ndjson`, lines(rows));
    }
  });
  return jobs;
}

/** Leaves out what is of ended jobs where their archives are not wanted, and notes which blobs the others have. */
async function* keptRows(
  table: TableName,
  rows: AsyncIterable<Row>,
  { archives, jobs, leftOut }: { archives: boolean; jobs: KeptJobs; leftOut: Set<string> },
): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (table === 'jobs') {
      const id = String(row['id']);
      const ended = row['status'] === 'complete' || row['status'] === 'failed';
      if (ended && !archives) {
        leftOut.add(id);
        continue;
      }
      if (row['status'] !== 'failed') {
        jobs.set(id, ended ? undefined : [spoolKey(id)]);
      }
    } else if (
      (table === 'chunks' || table === 'small_blobs' || table === 'idempotency_records') &&
      leftOut.has(String(row['job_id']))
    ) {
      continue;
    } else if (table === 'chunks') {
      const [id, position, attempt] = [String(row['job_id']), Number(row['position']), Number(row['attempt'])];
      const rendered =
        row['status'] === 'done' ? [segmentKey(id, position, attempt), segmentIndexKey(id, position, attempt)] : [];
      jobs.get(id)?.push(chunkSpoolKey(id, position), ...rendered);
    }
    yield row;
  }
}

async function* lines(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) {
    yield `${JSON.stringify(row)}\n`;
  }
}

/** A job that expires meanwhile has fewer blobs than rows; it has expired in the restored service as well. */
async function addBlobs(jobs: KeptJobs, storage: BlobStore, add: BackupSink['add']): Promise<void> {
  for (const [id, known] of jobs) {
    const prefix = jobPrefix(id);
    const keys = known ?? (await storage.list(prefix)).map((name) => `${prefix}/${name}`);
    for (const key of keys) {
      const bytes = await storage.size(key);
      if (bytes !== undefined) {
        const content = bytes === 0 ? toBytes('') : storage.read(key, 0, bytes - 1);
        await add(`storage/${key}`, content, bytes);
      }
    }
  }
}

async function addFiles(folder: string, prefix: string, add: BackupSink['add']): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.toSorted()) {
    await addFile(join(folder, name), `${prefix}/${name}`, add);
  }
}

/** Nothing where there is no such file. */
async function addFile(path: string, name: string, add: BackupSink['add']): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (size !== undefined) {
    await add(name, createReadStream(path), size);
  }
}

async function* toBytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
