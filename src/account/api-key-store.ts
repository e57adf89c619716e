/** An organisation's API keys: created and shown once, recognised by their hash, revoked at once. */

import { requireOrganisation } from './organisation-store.js';
import { ApiError } from '../contract/errors.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { fingerprint, isApiKey, newApiKey } from './api-key.js';
import { type Actor, audit } from './audit-store.js';
import { MANAGERS, requireRole } from './membership-store.js';
import { requireText } from './required-text.js';

/** Working keys of an organisation. Each has rate limits of its own. */
const MOST_KEYS = 100;

/** Revoked keys that are listed, the latest. */
const REVOKED_LISTED = 50;

/** Precision of the time of a key's last use; writing it with every request would cost more than the request. */
const USE_RECORDED_EVERY_MS = 60_000;

/** A key that is revoked in another process stops within a second. */
const REMEMBERED_MS = 500;

/** Keys that are remembered at once. */
const MOST_REMEMBERED = 10_000;

/** The caller. */
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
  /** Name of the person who made it; null: the command line, or somebody who is gone. */
  createdBy: string | null;
  /** Unix milliseconds. */
  createdAt: number;
  /** To the minute; null: not yet. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** A key that was just made, and is stored nowhere. */
export interface NewKey {
  keyId: string;
  key: string;
}

export class ApiKeyStore {
  readonly #database: Database;
  /** Whom keys belonged to a moment ago: whoever polls asks many times a second. */
  readonly #recent = new Map<string, { caller: Caller; until: number }>();
  /** What is being asked of the database: a thousand requests with one key ask once. */
  readonly #asked = new Map<string, Promise<Caller | undefined>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates a key; the only time that the key itself is known. @throws ApiError `not_found`, `invalid_input` (name: 1 to 200 characters). */
  async create(organisationId: string, name: string): Promise<NewKey> {
    return transact(this.#database, (transaction) => insertKey(transaction, organisationId, name, null));
  }

  /** As `create`, by a person who manages keys at that moment. @throws AccountError `forbidden`, `not_found` */
  async createAs(actor: Actor, organisationId: string, name: string): Promise<NewKey> {
    return transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      const created = await insertKey(transaction, organisationId, name, actor.personId);
      await audit(transaction, actor, organisationId, 'key-created', name);
      return created;
    });
  }

  /** Whom a key belongs to; undefined for a malformed, unknown or revoked one alike. */
  async authenticate(key: string): Promise<Caller | undefined> {
    const now = Date.now();
    const known = this.#recent.get(key);
    if (known !== undefined && known.until > now) {
      return known.caller;
    }
    if (!isApiKey(key)) {
      return undefined;
    }
    return this.#asked.get(key) ?? this.#ask(key, now);
  }

  async #ask(key: string, now: number): Promise<Caller | undefined> {
    const asked = this.#find(key, now);
    this.#asked.set(key, asked);
    try {
      return await asked;
    } finally {
      this.#asked.delete(key);
    }
  }

  async #find(key: string, now: number): Promise<Caller | undefined> {
    const found = await this.#database
      .selectFrom('api_keys')
      .select(['id as keyId', 'organisation_id as organisationId', 'last_used_at as lastUsedAt'])
      .where('hash', '=', fingerprint(key).hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (found === undefined) {
      return undefined;
    }
    const { keyId, organisationId, lastUsedAt } = found;
    const caller = { keyId, organisationId };
    if (this.#recent.size >= MOST_REMEMBERED) {
      this.#recent.clear();
    }
    this.#recent.set(key, { caller, until: now + REMEMBERED_MS });
    if (lastUsedAt === null || lastUsedAt < now - USE_RECORDED_EVERY_MS) {
      // A database that takes no writes still answers who calls.
      await this.#recordUse(keyId, now).catch(() => undefined);
    }
    return caller;
  }

  /** One of several at once is enough. */
  async #recordUse(keyId: string, now: number): Promise<void> {
    await this.#database
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', keyId)
      .where((column) =>
        column.or([column('last_used_at', 'is', null), column('last_used_at', '<', now - USE_RECORDED_EVERY_MS)]),
      )
      .execute();
  }

  /** Revokes a key from now on; a revoked key stays as it is. @throws ApiError `not_found`. */
  async revoke(keyId: string): Promise<void> {
    const { numUpdatedRows } = await this.#database
      .updateTable('api_keys')
      .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(Date.now())) }))
      .where('id', '=', keyId)
      .executeTakeFirst();
    this.#recent.clear();
    this.#asked.clear();
    if (numUpdatedRows === 0n) {
      throw new ApiError('not_found', 'There is no such key.');
    }
  }

  /** Revokes a key of an organisation, as a person who manages keys; a revoked key stays as it is. @throws ApiError `not_found`; AccountError */
  async revokeAs(actor: Actor, organisationId: string, keyId: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      const key = await transaction
        .selectFrom('api_keys')
        .select(['name', 'revoked_at'])
        .where('id', '=', keyId)
        .where('organisation_id', '=', organisationId)
        .executeTakeFirst();
      if (key === undefined) {
        throw new ApiError('not_found', 'There is no such key.');
      }
      if (key.revoked_at === null) {
        await new ApiKeyStore(transaction).revoke(keyId);
        await audit(transaction, actor, organisationId, 'key-revoked', key.name);
      }
    });
    this.#recent.clear();
  }

  /** An organisation's working keys, oldest first, and the 50 that were revoked last, the latest first. */
  async list(organisationId: string): Promise<ApiKey[]> {
    const keys = this.#keysOf(organisationId);
    const [working, revoked] = await Promise.all([
      keys.where('revoked_at', 'is', null).orderBy('api_keys.created_at').orderBy('api_keys.id').execute(),
      keys
        .where('revoked_at', 'is not', null)
        .orderBy('revoked_at', 'desc')
        .orderBy('api_keys.id')
        .limit(REVOKED_LISTED)
        .execute(),
    ]);
    return [...working, ...revoked];
  }

  #keysOf(organisationId: string) {
    return this.#database
      .selectFrom('api_keys')
      .leftJoin('people', 'people.id', 'api_keys.created_by')
      .select(['api_keys.id', 'organisation_id as organisationId', 'api_keys.name', 'prefix'])
      .select(['people.name as createdBy', 'api_keys.created_at as createdAt'])
      .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
      .where('organisation_id', '=', organisationId);
  }
}

async function insertKey(
  transaction: DatabaseTransaction,
  organisationId: string,
  name: string,
  createdBy: string | null,
): Promise<NewKey> {
  await requireOrganisation(transaction, organisationId);
  const { working } = await transaction
    .selectFrom('api_keys')
    .select((column) => column.fn.countAll<number | string>().as('working'))
    .where('organisation_id', '=', organisationId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(working) >= MOST_KEYS) {
    throw new AccountError('conflict', `An organisation has at most ${MOST_KEYS} working keys. Revoke one first.`);
  }
  const keyId = newRowId();
  const key = newApiKey();
  await transaction
    .insertInto('api_keys')
    .values({
      id: keyId,
      organisation_id: organisationId,
      name: requireText(name, '/name', 200),
      ...fingerprint(key),
      created_by: createdBy,
      created_at: Date.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
  return { keyId, key };
}

/** Revokes every key of an organisation from now on. */
export async function revokeAllKeys(transaction: DatabaseTransaction, organisationId: string): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('organisation_id', '=', organisationId)
    .where('revoked_at', 'is', null)
    .execute();
}
