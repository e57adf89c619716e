/** An organisation's API keys: created and shown once, recognised by their hash, revoked at once. */

import type { Database } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { ApiError } from '../errors.js';
import { fingerprint, isApiKey, newApiKey } from './api-key.js';
import { requireText } from './required-text.js';

/** Who calls. */
export interface Caller {
  keyId: string;
  organisationId: string;
}

export interface ApiKey {
  id: string;
  organisationId: string;
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** Unix milliseconds. */
  createdAt: number;
  revokedAt: number | null;
}

export class ApiKeyStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates a key; the only time that the key itself is known. @throws ApiError `not_found`, `invalid_input` (name: 1 to 200 characters). */
  async create(organisationId: string, name: string): Promise<{ keyId: string; key: string }> {
    const organisation = await this.#database
      .selectFrom('organisations')
      .select('id')
      .where('id', '=', organisationId)
      .executeTakeFirst();
    if (organisation === undefined) {
      throw new ApiError('not_found', 'There is no such organisation.');
    }
    const keyId = newRowId();
    const key = newApiKey();
    await this.#database
      .insertInto('api_keys')
      .values({
        id: keyId,
        organisation_id: organisationId,
        name: requireText(name, '/name', 200),
        ...fingerprint(key),
        created_at: Date.now(),
        revoked_at: null,
      })
      .execute();
    return { keyId, key };
  }

  /** Whom a key belongs to; undefined for a malformed, unknown or revoked one alike. */
  async authenticate(key: string): Promise<Caller | undefined> {
    if (!isApiKey(key)) {
      return undefined;
    }
    return this.#database
      .selectFrom('api_keys')
      .select(['id as keyId', 'organisation_id as organisationId'])
      .where('hash', '=', fingerprint(key).hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
  }

  /** Revokes a key from now on; a revoked key stays as it is. @throws ApiError `not_found`. */
  async revoke(keyId: string): Promise<void> {
    const { numUpdatedRows } = await this.#database
      .updateTable('api_keys')
      .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(Date.now())) }))
      .where('id', '=', keyId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new ApiError('not_found', 'There is no such key.');
    }
  }

  /** An organisation's keys, the revoked ones too, oldest first. */
  async list(organisationId: string): Promise<ApiKey[]> {
    return this.#database
      .selectFrom('api_keys')
      .select(['id', 'organisation_id as organisationId', 'name', 'prefix'])
      .select(['created_at as createdAt', 'revoked_at as revokedAt'])
      .where('organisation_id', '=', organisationId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }
}
