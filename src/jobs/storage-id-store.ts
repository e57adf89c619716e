/**
 * The id of the storage: a blob in it, and a row of the database whose files it has. It shows at a start that a process has another
 * storage than the others on its database, and so not the files of their jobs. A storage that is moved or copied takes its id along.
 * A backup has none: a restored database belongs to the storage of its first start.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Database } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { isDuplicate, transact } from '../database/transaction.js';
import { temporaryFolder } from '../platform/disk.js';
import { type BlobStore, hasBlobs } from '../storage/blob-store.js';
import { JOBS_PREFIX } from './files/job-files.js';
import { placeOf, type StorageLocation } from '../storage/storage-location.js';

/** Key of the blob. */
const KEY = 'id';

/** The only row of `own_storage`. */
const ROW = 1;

/** The storage that a database names, and what a database without one has. */
export interface Bound {
  storageId: string | undefined;
  hasJobs: boolean;
}

/** The storage has not the id that the database names, or is that of another database. */
export class OtherStorageError extends Error {
  /** It has none. */
  readonly isEmpty: boolean;

  constructor(message: string, isEmpty: boolean) {
    super(message);
    this.isEmpty = isEmpty;
  }
}

interface Parts {
  database: Database;
  storage: BlobStore;
}

/**
 * Binds storage and database to each other, unless the database is bound to a storage.
 * @param scratch folder for temporary files
 * @throws OtherStorageError as `requireStorage` does
 */
export async function bindStorage({ database, storage }: Parts, location: StorageLocation, scratch: string) {
  const bound = await boundStorage(database);
  await requireStorage(storage, location, bound);
  if (bound.storageId === undefined) {
    await bind({ database, storage }, scratch);
    await requireStorage(storage, location, await boundStorage(database));
  }
}

/** The storage that has the database's files. None before the first start. */
export async function boundStorage(database: Database): Promise<Bound> {
  const row = await database
    .selectFrom('own_storage')
    .select('storage_id as storageId')
    .where('id', '=', ROW)
    .executeTakeFirst();
  const job = await database.selectFrom('jobs').select('id').limit(1).executeTakeFirst();
  return { storageId: row?.storageId, hasJobs: job !== undefined };
}

/** @throws OtherStorageError that says what to do when the database cannot have this storage */
export async function requireStorage(
  storage: BlobStore,
  location: StorageLocation,
  { storageId: expected, hasJobs }: Bound,
) {
  const found = await idOf(storage);
  const place = placeOf(location);
  // A service on a new database would delete them in time, since it knows no jobs of theirs.
  if (expected === undefined && found !== undefined && !hasJobs && (await hasBlobs(storage, JOBS_PREFIX))) {
    throw new OtherStorageError(
      `The database is new, and ${place} has the files of another database's jobs. If that database is lost, restore a backup. If the files are of no use, move them away or name another storage.`,
      false,
    );
  }
  if (expected !== undefined && found !== expected) {
    throw new OtherStorageError(
      `The files of the database are in another storage than ${place}. Give all processes on the database the same QRPRESS_STORAGE_URL or, on one host, the same QRPRESS_DATA_DIR. If you moved the files to ${place}, or they are lost for good, write ${expected} into ${place}/${KEY}.`,
      found === undefined,
    );
  }
}

/** The row comes first: other processes on the database wait for it, so that one of them names the storage. */
function bind({ database, storage }: Parts, scratch: string): Promise<void> {
  return transact(database, async (transaction) => {
    const id = newRowId();
    await transaction.insertInto('own_storage').values({ id: ROW, storage_id: id }).execute();
    const found = await idOf(storage);
    if (found === undefined) {
      await using folder = await temporaryFolder(scratch);
      const path = join(folder.path, KEY);
      await writeFile(path, `${id}\n`);
      await storage.adopt([{ key: KEY, path }]);
    } else {
      await transaction.updateTable('own_storage').set({ storage_id: found }).where('id', '=', ROW).execute();
    }
  }).catch((error: unknown) => {
    // Another process was first.
    if (!isDuplicate(error)) {
      throw error;
    }
  });
}

async function idOf(storage: BlobStore): Promise<string | undefined> {
  const bytes = (await storage.size(KEY)) ?? 0;
  return bytes === 0 ? undefined : (await text(storage.read(KEY, 0, bytes - 1))).trim();
}
