/**
 * Blobs of attempt 0 are rows. The archive of a job that was drawn while it was checked is committed with the job,
 * which saves four files and as many syncs. Readers see them as ordinary blobs. `NewJobStore` writes the rows; a backup
 * and its restore copy them with the other rows.
 */

import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database } from '../database/connection.js';
import type { BlobStore } from '../storage/blob-store.js';

/** All other attempts are numbered from 1. */
const IN_ATTEMPT_0 = /^jobs\/(?<job_id>[0-9a-z]{26})\/(?<name>\S+-0(?:\.\w+)?)$/;

type Row = Record<'job_id' | 'name', string>;

/** Adds the rows to the store. */
export function withSmallBlobs(store: BlobStore, database: Database): BlobStore {
  return {
    adopt: (blobs) => store.adopt(blobs),
    cut: store.cut?.bind(store),
    materialise: async (key, scratch, ranges) => {
      const row = rowOf(key);
      if (row === undefined) {
        return store.materialise(key, scratch, ranges);
      }
      await writeFile(scratch, await contentOf(database, row));
      return scratch;
    },
    read: (key, start, end) => {
      const row = rowOf(key);
      return row === undefined
        ? store.read(key, start, end)
        : Readable.from(part(database, row, start, end), { objectMode: false });
    },
    size: async (key) => {
      const row = rowOf(key);
      return row === undefined ? store.size(key) : sizeOf(database, row);
    },
    delete: (keys) => store.delete(keys),
    deleteAll: async (prefix) => {
      await store.deleteAll(prefix);
      const jobId = prefix.slice(prefix.indexOf('/') + 1);
      await database.deleteFrom('small_blobs').where('job_id', '=', jobId).execute();
    },
    list: (prefix) => store.list(prefix),
    check: () => store.check(),
    close: () => store.close(),
    // `Required` makes the compiler ask for optional members too.
  } satisfies { [Member in keyof Required<BlobStore>]: BlobStore[Member] };
}

/** Undefined for a blob that is not a row. */
function rowOf(key: string): Row | undefined {
  return IN_ATTEMPT_0.exec(key)?.groups as Row | undefined;
}

async function* part(database: Database, row: Row, start: number, end: number): AsyncGenerator<Buffer> {
  const content = await contentOf(database, row);
  if (content.length <= end) {
    const name = `${row.job_id}/${row.name}`;
    throw new Error(`${name} has ${content.length} bytes, fewer than the ${end + 1} requested`);
  }
  yield content.subarray(start, end + 1);
}

/** @throws Error with the code of a file that is missing, when there is no such row */
async function contentOf(database: Database, row: Row): Promise<Buffer> {
  const { content } = await database
    .selectFrom('small_blobs')
    .select('content')
    .where((where) => where.and(row))
    .executeTakeFirstOrThrow(() => Object.assign(new Error(`${row.job_id}/${row.name} is gone`), { code: 'ENOENT' }));
  // libsql returns an ArrayBuffer.
  return Buffer.from(content);
}

async function sizeOf(database: Database, row: Row): Promise<number | undefined> {
  const found = await database
    .selectFrom('small_blobs')
    .select(sql<number>`length(content)`.as('bytes'))
    .where((where) => where.and(row))
    .executeTakeFirst();
  return found?.bytes;
}
