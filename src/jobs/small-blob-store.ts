/** Blobs stored in rows, of jobs that were drawn while they were checked. */

import { sql } from 'kysely';
import type { Database } from '../database/connection.js';

export class SmallBlobStore {
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
