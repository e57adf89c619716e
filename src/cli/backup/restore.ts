/**
 * Restores a backup into an empty installation: files first, then all rows in one transaction, so that no row refers to
 * a missing file.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { migrate, requireKnown } from '../../database/migrate.js';
import { filledTables, fillTables, type Row, TABLES, type TableName } from '../../database/snapshot.js';
import { JOBS_PREFIX } from '../../jobs/files/job-files.js';
import { hasBlobs, type LocalBlob } from '../../storage/blob-store.js';
import { syncFolder, temporaryFolder, unlessAbsent } from '../../platform/disk.js';
import type { BackupDependencies } from './backup.js';
import { type BackupFile, type CheckedFolder, checkFolder } from './checked-folder.js';

/** Blobs synced and moved together. */
const BLOBS_PER_BATCH = 64;

const LF = 0x0a;

export interface RestoreReport {
  /** Version and time (ISO 8601) of the backup. */
  version: string;
  createdAt: string;
  files: number;
  rows: number;
}

/** Reads the whole backup, and writes nothing. @throws Error when it is no backup, is damaged, or is newer than this version */
export async function openBackup(path: string): Promise<CheckedFolder> {
  const backup = await checkFolder(path);
  requireKnown(backup.manifest.migration);
  return backup;
}

/**
 * Migrates the database to the backup's version, fills its tables, and migrates them to this version. The storage has to take
 * files before, also for a backup without any: the service would not start.
 * @param scratch folder for temporary files, best on the storage's file system
 * @throws Error when the target is not empty, or takes no files
 */
export async function restore(
  { manifest, files }: CheckedFolder,
  dependencies: BackupDependencies,
  scratch: string,
): Promise<RestoreReport> {
  await requireWritable(dependencies);
  await migrate(dependencies.database, { target: manifest.migration });
  await requireEmpty(dependencies);
  await restoreFiles(files, dependencies, scratch);
  const rows = await restoreRows(files, dependencies);
  await migrate(dependencies.database);
  return { version: manifest.version, createdAt: manifest.createdAt, files: manifest.files.length, rows };
}

async function requireWritable({ storage }: BackupDependencies): Promise<void> {
  try {
    await storage.check();
  } catch (cause) {
    throw new Error('a restore needs a storage that can be written to', { cause });
  }
}

async function requireEmpty({ database, storage, secretsPath, outboxPath }: BackupDependencies): Promise<void> {
  const found = [
    ...(await filledTables(database)).map((table) => `the table ${table} has rows`),
    ...((await hasBlobs(storage, JOBS_PREFIX)) ? ['the storage has jobs'] : []),
    ...((await namesIn(dirname(secretsPath))).includes(basename(secretsPath)) ? [`${secretsPath} exists`] : []),
    ...((await namesIn(outboxPath)).length > 0 ? [`${outboxPath} has mails`] : []),
  ];
  if (found.length > 0) {
    throw new Error(`a restore needs an empty database and data folder, but ${found.join(', ')}`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessAbsent(readdir(folder))) ?? [];
}

async function restoreFiles(
  files: readonly BackupFile[],
  dependencies: BackupDependencies,
  scratch: string,
): Promise<void> {
  await using folder = await temporaryFolder(scratch);
  const blobs: LocalBlob[] = [];
  const adopt = () => dependencies.storage.adopt(blobs.splice(0));
  for (const file of files) {
    const [kind, rest] = split(file.name);
    if (kind === 'storage') {
      const blob = { key: rest, path: join(folder.path, String(blobs.length)) };
      await writeFile(blob.path, file);
      blobs.push(blob);
      if (blobs.length === BLOBS_PER_BATCH) {
        await adopt();
      }
    } else if (kind === 'outbox') {
      await writeFile(join(dependencies.outboxPath, basename(rest)), file);
    } else if (kind === 'secrets') {
      await writeFile(dependencies.secretsPath, file);
      await syncFolder(dirname(dependencies.secretsPath));
    }
  }
  await adopt();
}

/** Mode 0600, as for all secrets and mails. */
async function writeFile(path: string, file: BackupFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await pipeline(createReadStream(file.path), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
}

async function restoreRows(files: readonly BackupFile[], { database }: BackupDependencies): Promise<number> {
  let rows = 0;
  await fillTables(database, async (fill) => {
    for (const file of files) {
      const [kind, rest] = split(file.name);
      const table = /^\d+-(\w+)\.ndjson$/.exec(rest)?.[1] as TableName;
      if (kind !== 'database') {
        continue;
      }
      if (TABLES.includes(table)) {
        await fill(
          table,
          counted(rowsOf(file), () => (rows += 1)),
        );
      } else {
        throw new Error(`the backup has a table ${table} unknown to this version`);
      }
    }
  });
  return rows;
}

/** Leases in the backup are cleared: the processes that held them do not exist here. */
const LEASES = new Set(['leased_until', 'finish_leased_until']);
const UNFINISHED = new Set(['pending', 'processing', 'zipping']);

function withoutLease(row: Row): Row {
  return UNFINISHED.has(String(row['status']))
    ? Object.fromEntries(Object.entries(row).map(([column, value]) => [column, LEASES.has(column) ? null : value]))
    : row;
}

/** Splits at LF only: text in a row may contain other line separators. */
async function* rowsOf({ path }: BackupFile): AsyncGenerator<Row> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of createReadStream(path)) {
    const bytes = Buffer.concat([rest, part as Buffer]);
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      yield withoutLease(JSON.parse(bytes.toString('utf8', start, end)) as Row);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

async function* counted<T>(values: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const value of values) {
    count();
    yield value;
  }
}

function split(name: string): [kind: string, rest: string] {
  const slash = name.indexOf('/');
  return slash === -1 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
}
