/** Pages that answered a form, encrypted. Kept for a few minutes under the hash of a token. */

import type { Database } from '../database/connection.js';
import { tokenHash } from './secret-token.js';

/** Time that a page is kept: enough to copy a secret after an accidental reload. */
export const KEPT_PAGE_MINUTES = 10;

export class KeptPageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep(token: string, content: Buffer): Promise<void> {
    await this.#database
      .insertInto('kept_pages')
      .values({ id_hash: tokenHash(token), content, expires_at: Date.now() + KEPT_PAGE_MINUTES * 60_000 })
      .execute();
  }

  async find(token: string): Promise<Buffer | undefined> {
    const row = await this.#database
      .selectFrom('kept_pages')
      .select('content')
      .where('id_hash', '=', tokenHash(token))
      .where('expires_at', '>', Date.now())
      .executeTakeFirst();
    return row && Buffer.from(row.content);
  }
}
