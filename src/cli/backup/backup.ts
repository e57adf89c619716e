/**
 * Writes a backup while the service runs: a snapshot of the rows, then the blobs they refer to, the secrets and the
 * outbox.
 */

import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Database } from '../../database/connection.js';
import { requireCurrent } from '../../database/migrate.js';
import { type Row, readSnapshot, TABLES, type TableName } from '../../database/snapshot.js';
import {
  chunkSpoolKey,
  jobPrefix,
  segmentIndexKey,
  segmentKey,
  segmentReadingsKey,
  spoolKey,
} from '../../jobs/files/job-files.js';
import { unlessAbsent } from '../../platform/disk.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { type FileRecord, MANIFEST, writeManifest } from './manifest.js';
import { NewFolder } from './new-folder.js';

export interface BackupDependencies {
  database: Database;
  storage: BlobStore;
  /** The generated secrets. The file does not exist when the settings provide the secrets. */
  secretsPath: string;
  /** Mails that were written to files. */
  outboxPath: string;
}

interface BackupOptions {
  /** Version of the program, for the manifest. */
  version: string;
  /** True: includes ended jobs, with their archives. Ledger entries are always included. */
  archives: boolean;
}

export interface BackupReport {
  files: number;
  bytes: number;
  jobs: number;
}

/** Blobs to back up, by job. Undefined: all blobs that the store has for the job. */
type JobBlobs = Map<string, string[] | undefined>;

type Add = NewFolder['add'];

/** Writes a folder. @throws Error when `path` is in use */
export async function backUp(
  path: string,
  dependencies: BackupDependencies,
  options: BackupOptions,
): Promise<BackupReport> {
  const migration = await requireCurrent(dependencies.database);
  const createdAt = new Date().toISOString();
  const folder = await NewFolder.create(path);
  try {
    const files: FileRecord[] = [];
    const add: Add = async (...file) => {
      const record = await folder.add(...file);
      files.push(record);
      return record;
    };
    const jobs = await addRows(dependencies.database, options.archives, add);
    await addFiles(dependencies.outboxPath, 'outbox', add);
    await addFile(dependencies.secretsPath, 'secrets', add);
    await addBlobs(jobs, dependencies.storage, folder.scratch, add);
    const { version, archives } = options;
    const manifest = writeManifest({ version, createdAt, migration, archives, files });
    await folder.add(MANIFEST, Readable.from([manifest]));
    await folder.finish();
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), jobs: jobs.size };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** One file per table, one line per row. */
async function addRows(database: Database, archives: boolean, add: Add): Promise<JobBlobs> {
  const jobs: JobBlobs = new Map();
  await readSnapshot(database, async (read) => {
    const skipped = new Set<string>();
    for (const [index, table] of TABLES.entries()) {
      const rows = keptRows(table, read(table), { archives, jobs, skipped });
      await add(`database/${String(index).padStart(2, '0')}-${table}.ndjson`, lines(rows));
    }
  });
  return jobs;
}

/** Skips rows of ended jobs unless archives are wanted, and notes the blobs of the remaining jobs. */
async function* keptRows(
  table: TableName,
  rows: AsyncIterable<Row>,
  { archives, jobs, skipped }: { archives: boolean; jobs: JobBlobs; skipped: Set<string> },
): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (table === 'jobs') {
      const id = String(row['id']);
      const ended = row['status'] === 'complete' || row['status'] === 'failed';
      if (ended && !archives) {
        skipped.add(id);
        continue;
      }
      if (row['status'] !== 'failed') {
        jobs.set(id, ended ? undefined : [spoolKey(id)]);
      }
    } else if (
      (table === 'chunks' || table === 'small_blobs' || table === 'idempotency_records') &&
      skipped.has(String(row['job_id']))
    ) {
      continue;
    } else if (table === 'chunks') {
      const [id, position, attempt] = [String(row['job_id']), Number(row['position']), Number(row['attempt'])];
      const written = [
        ...(row['status'] === 'done' ? [segmentKey, segmentIndexKey] : []),
        ...(Number(row['readings_bytes']) > 0 ? [segmentReadingsKey] : []),
      ];
      jobs.get(id)?.push(chunkSpoolKey(id, position), ...written.map((key) => key(id, position, attempt)));
    }
    yield row;
  }
}

async function* lines(rows: AsyncIterable<Row>): AsyncGenerator<string> {
  for await (const row of rows) {
    yield `${JSON.stringify(row)}\n`;
  }
}

/**
 * A job that expires or is deleted meanwhile may lack blobs. One that has expired has also expired in the restored service.
 * @param scratch path for a blob of a remote store
 */
async function addBlobs(jobs: JobBlobs, storage: BlobStore, scratch: string, add: Add): Promise<void> {
  for (const [id, known] of jobs) {
    for (const key of known ?? (await keysBelow(storage, jobPrefix(id)))) {
      await using file = await openBlob(storage, key, scratch);
      if (file !== undefined) {
        await add(`storage/${key}`, file.createReadStream({ autoClose: false }));
      }
    }
  }
}

/** The whole of a blob, which may be deleted from now on. Undefined when it was deleted before. */
async function openBlob(storage: BlobStore, key: string, scratch: string): Promise<FileHandle | undefined> {
  try {
    return await open(await storage.materialise(key, scratch));
  } catch (error) {
    if ((await storage.size(key)) === undefined) {
      return undefined;
    }
    throw error;
  }
}

async function keysBelow(storage: BlobStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) {
    keys.push(key);
  }
  return keys;
}

async function addFiles(folder: string, prefix: string, add: Add): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.toSorted()) {
    await addFile(join(folder, name), `${prefix}/${name}`, add);
  }
}

/** Does nothing when there is no such file. */
async function addFile(path: string, name: string, add: Add): Promise<void> {
  const found = await unlessAbsent(stat(path));
  if (found !== undefined) {
    await add(name, createReadStream(path));
  }
}
