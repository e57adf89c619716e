/**
 * Blobs of attempt 0 are rows. The archive of a job that was drawn while it was checked is committed with the job,
 * which saves four files and as many syncs. Readers see them as ordinary blobs.
 */

import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database } from '../database/connection.js';
import type { BlobStore } from '../storage/blob-store.js';

/** All other attempts are numbered from 1. */
const IN_ATTEMPT_0 = /^jobs\/([0-9a-z]{26})\/(\S+-0(?:\.\w+)?)$/;

/** Adds the rows to the store. */
export function withSmallBlobs(store: BlobStore, database: Database): BlobStore {
  const rows = new SmallBlobs(database);
  const row = (key: string): [jobId: string, name: string] | undefined => {
    const [, jobId, name] = IN_ATTEMPT_0.exec(key) ?? [];
    return jobId === undefined || name === undefined ? undefined : [jobId, name];
  };
  return {
    adopt: (blobs) => store.adopt(blobs),
    cut: store.cut?.bind(store),
    materialise: async (key, scratch, ranges) => {
      const [jobId, name] = row(key) ?? [];
      if (jobId === undefined || name === undefined) {
        return store.materialise(key, scratch, ranges);
      }
      await writeFile(scratch, await rows.read(jobId, name));
      return scratch;
    },
    read: (key, start, end) => {
      const found = row(key);
      return found === undefined
        ? store.read(key, start, end)
        : Readable.from(part(rows, found, start, end), { objectMode: false });
    },
    size: async (key) => {
      const found = row(key);
      return found === undefined ? store.size(key) : rows.size(...found);
    },
    writtenAt: (key) => store.writtenAt(key),
    delete: (keys) => store.delete(keys),
    deleteAll: async (prefix) => {
      await store.deleteAll(prefix);
      await rows.deleteAll(prefix.slice(prefix.indexOf('/') + 1));
    },
    list: (prefix) => store.list(prefix),
    listAll: (prefix) => store.listAll(prefix),
    check: () => store.check(),
    close: () => store.close(),
    // `Required` makes the compiler ask for optional members too.
  } satisfies { [Member in keyof Required<BlobStore>]: BlobStore[Member] };
}

async function* part(
  rows: SmallBlobs,
  found: [jobId: string, name: string],
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  const content = await rows.read(...found);
  if (content.length <= end) {
    throw new Error(`${found.join('/')} has ${content.length} bytes, fewer than the ${end + 1} requested`);
  }
  yield content.subarray(start, end + 1);
}

/** The rows of `small_blobs`. `NewJobStore` writes them; a backup and its restore copy them with the other rows. */
class SmallBlobs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws Error when there is no such row */
  async read(jobId: string, name: string): Promise<Buffer> {
    const { content } = await this.#database
      .selectFrom('small_blobs')
      .select('content')
      .where('job_id', '=', jobId)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    // libsql returns an ArrayBuffer.
    return Buffer.from(content);
  }

  async size(jobId: string, name: string): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('small_blobs')
      .select(sql<number>`length(content)`.as('bytes'))
      .where('job_id', '=', jobId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.bytes;
  }

  async deleteAll(jobId: string): Promise<void> {
    await this.#database.deleteFrom('small_blobs').where('job_id', '=', jobId).execute();
  }
}
