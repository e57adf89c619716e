/** An organisation's API keys: shown once at creation, found by their hash, until they are revoked or expire. */

import type { ExpressionBuilder } from 'kysely';
import { ApiError } from '../../contract/errors.js';
import { DAY_MS, LIMITS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { newRowId } from '../../database/row-id.js';
import type { KeyAccess, Schema } from '../../database/schema.js';
import { transact } from '../../database/transaction.js';
import { AccountError } from '../account-error.js';
import { isApiKey, newApiKey, storedFormOf } from './api-key.js';
import type { AnyActor } from '../actor.js';
import { audit } from '../audit-store.js';
import { nameOfOrganisation } from '../organisations/organisation-store.js';
import { MANAGERS, requireRole } from '../organisations/membership-store.js';
import { requireText } from '../required-text.js';

const MAX_ENDED_LISTED = 50;

/** Time that an authenticated key is cached. A key revoked in another process stops working within a second. */
const CACHE_TTL_MS = 500;

const MAX_CACHED_KEYS = 10_000;

/** The organisation behind an authenticated request, and its key. */
export interface Caller {
  keyId: string;
  keyName: string;
  organisationId: string;
  /** The person who created the key. Null: the command line. */
  createdBy: string | null;
  access: KeyAccess;
  /** True while the organisation may not make jobs. */
  isSuspended: boolean;
}

/** Rights of a new key, and their end. */
export interface KeyOptions {
  /** Default: `full`. */
  access?: KeyAccess;
  /** Unix milliseconds. Default: until it is revoked. */
  expiresAt?: number | undefined;
}

export interface ApiKey {
  id: string;
  organisationId: string;
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** Name of the person who created it. Null: the command line, or a person whose account is deleted. */
  createdBy: string | null;
  /** Unix milliseconds. */
  createdAt: number;
  access: KeyAccess;
  /** Null: it works until it is revoked. */
  expiresAt: number | null;
  /** Seconds late. Null: never used. */
  lastUsedAt: number | null;
  /** The client's IP address then. */
  lastUsedAddress: string | null;
  revokedAt: number | null;
}

/** A new key. Only its hash is stored. */
interface NewKey {
  keyId: string;
  key: string;
}

export class ApiKeyStore {
  readonly #database: Database;
  /** Recently authenticated keys: a client that polls authenticates many times a second. */
  readonly #recent = new Map<string, { caller: Caller; expiresAt: number | null; until: number }>();
  /** Queries in flight: a thousand concurrent requests with one key make one query. */
  readonly #inFlight = new Map<string, Promise<Caller | undefined>>();
  /** Revocations so far. What a query found before the last one must not be kept. */
  #revocations = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Creates a key, for somebody who may manage keys at that moment. Only this call returns the key itself.
   * @throws AccountError `forbidden`, `not_found`; ApiError `invalid_input` (name: 1 to 200 characters)
   */
  async create(actor: AnyActor, organisationId: string, name: string, options: KeyOptions = {}): Promise<NewKey> {
    return transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      const created = await insertKey(transaction, organisationId, { name, ...options, createdBy: actor.personId });
      await audit(transaction, actor, organisationId, 'key-created', name + described(options));
      return created;
    });
  }

  /** The caller that a key belongs to. Undefined for a malformed, unknown, revoked or expired key alike. */
  async authenticate(key: string): Promise<Caller | undefined> {
    // Measured by a clock that nobody sets: a key must not be known for longer because the time was set back.
    const now = performance.now();
    const known = this.#recent.get(key);
    if (known !== undefined && known.until > now && !isOver(known.expiresAt)) {
      return known.caller;
    }
    if (!isApiKey(key)) {
      return undefined;
    }
    return this.#inFlight.get(key) ?? this.#ask(key, now);
  }

  async #ask(key: string, now: number): Promise<Caller | undefined> {
    const query = this.#find(key, now);
    this.#inFlight.set(key, query);
    try {
      return await query;
    } finally {
      this.#inFlight.delete(key);
    }
  }

  async #find(key: string, now: number): Promise<Caller | undefined> {
    const revocations = this.#revocations;
    const found = await this.#database
      .selectFrom('api_keys')
      .innerJoin('organisations', 'organisations.id', 'api_keys.organisation_id')
      .select([
        'api_keys.id as keyId',
        'api_keys.name as keyName',
        'organisation_id as organisationId',
        'created_by as createdBy',
      ])
      .select(['access', 'expires_at as expiresAt', 'suspended_at as suspendedAt'])
      .where('hash', '=', storedFormOf(key).hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (found === undefined || isOver(found.expiresAt)) {
      return undefined;
    }
    const { expiresAt, suspendedAt, ...owner } = found;
    const caller = { ...owner, isSuspended: suspendedAt !== null };
    if (revocations === this.#revocations) {
      if (this.#recent.size >= MAX_CACHED_KEYS) {
        this.#recent.clear();
      }
      this.#recent.set(key, { caller, expiresAt, until: now + CACHE_TTL_MS });
    }
    return caller;
  }

  /**
   * Revokes a key, for somebody who may manage keys of its organisation. Leaves a revoked key unchanged. @throws ApiError
   * `not_found`; AccountError
   */
  async revoke(actor: AnyActor, keyId: string): Promise<void> {
    const { organisationId, name } = await this.#database
      .selectFrom('api_keys')
      .select(['organisation_id as organisationId', 'name'])
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow(() => new ApiError('not_found', 'There is no such key.'));
    await transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      const { numUpdatedRows } = await transaction
        .updateTable('api_keys')
        .set({ revoked_at: Date.now() })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        await audit(transaction, actor, organisationId, 'key-revoked', name);
      }
    });
    this.#forget();
  }

  /** Looks every key up again: one was revoked. */
  #forget(): void {
    this.#revocations += 1;
    this.#recent.clear();
    this.#inFlight.clear();
  }

  /** An organisation's active keys, oldest first, then the 50 keys that ended last, latest first. */
  async list(organisationId: string): Promise<(ApiKey & { isActive: boolean })[]> {
    const keys = this.#keysOf(organisationId);
    const now = Date.now();
    const [active, ended] = await Promise.all([
      keys.where(isActive(now)).orderBy('api_keys.created_at').orderBy('api_keys.id').execute(),
      keys
        .where((column) => column.or([column('revoked_at', 'is not', null), column('api_keys.expires_at', '<=', now)]))
        .orderBy((column) => column.fn.coalesce('revoked_at', 'api_keys.expires_at'), 'desc')
        .orderBy('api_keys.id')
        .limit(MAX_ENDED_LISTED)
        .execute(),
    ]);
    return [...active.map((key) => ({ ...key, isActive: true })), ...ended.map((key) => ({ ...key, isActive: false }))];
  }

  /** The active keys of all organisations, oldest first. */
  listActive(): Promise<ApiKey[]> {
    const keys = this.#keys().where(isActive(Date.now()));
    return keys.orderBy('api_keys.created_at').orderBy('api_keys.id').execute();
  }

  /** An organisation's key. Undefined when there is none. */
  find(organisationId: string, keyId: string): Promise<ApiKey | undefined> {
    return this.#keysOf(organisationId).where('api_keys.id', '=', keyId).executeTakeFirst();
  }

  #keysOf(organisationId: string) {
    return this.#keys().where('organisation_id', '=', organisationId);
  }

  #keys() {
    return this.#database
      .selectFrom('api_keys')
      .leftJoin('people', 'people.id', 'api_keys.created_by')
      .select(['api_keys.id', 'organisation_id as organisationId', 'api_keys.name', 'prefix'])
      .select(['people.name as createdBy', 'api_keys.created_at as createdAt', 'access', 'expires_at as expiresAt'])
      .select(['last_used_at as lastUsedAt', 'last_used_address as lastUsedAddress', 'revoked_at as revokedAt']);
  }
}

/** @param expiresAt of a key */
function isOver(expiresAt: number | null): boolean {
  return expiresAt !== null && expiresAt <= Date.now();
}

/** The condition of keys that work. @param now Unix milliseconds */
function isActive(now: number) {
  return (key: ExpressionBuilder<Schema, 'api_keys'>) =>
    key.and([
      key('revoked_at', 'is', null),
      key.or([key('api_keys.expires_at', 'is', null), key('api_keys.expires_at', '>', now)]),
    ]);
}

/** Limits of a key, for the audit log. */
function described({ access, expiresAt }: KeyOptions): string {
  return (access === 'read' ? ', read-only' : '') + (expiresAt === undefined ? '' : `, ${endOf(expiresAt)}`);
}

/** A key that is made on the pages ends with a day in UTC. */
function endOf(expiresAt: number): string {
  const zone = { timeZone: 'UTC', dateStyle: 'medium' } as const;
  return expiresAt % DAY_MS === 0
    ? `last day ${new Date(expiresAt - 1).toLocaleDateString('en-GB', zone)}`
    : `until ${new Date(expiresAt).toLocaleString('en-GB', { ...zone, timeStyle: 'short' })} UTC`;
}

async function insertKey(
  transaction: DatabaseTransaction,
  organisationId: string,
  { name, access = 'full', expiresAt, createdBy = null }: KeyOptions & { name: string; createdBy?: string | null },
): Promise<NewKey> {
  await nameOfOrganisation(transaction, organisationId);
  const { active } = await transaction
    .selectFrom('api_keys')
    .select((column) => column.fn.countAll<number | string>().as('active'))
    .where('organisation_id', '=', organisationId)
    .where(isActive(Date.now()))
    .executeTakeFirstOrThrow();
  if (Number(active) >= LIMITS.activeKeys) {
    throw new AccountError(
      'conflict',
      `An organisation has at most ${LIMITS.activeKeys} active keys. Revoke one first.`,
    );
  }
  const keyId = newRowId();
  const key = newApiKey();
  await transaction
    .insertInto('api_keys')
    .values({
      id: keyId,
      organisation_id: organisationId,
      name: requireText(name, '/name', 200),
      ...storedFormOf(key),
      created_by: createdBy,
      created_at: Date.now(),
      access,
      expires_at: expiresAt ?? null,
    })
    .execute();
  return { keyId, key };
}

/** Names of the active keys that a person created in an organisation, oldest first. */
export async function activeKeysBy(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
): Promise<string[]> {
  const rows = await transaction
    .selectFrom('api_keys')
    .select('name')
    .where('organisation_id', '=', organisationId)
    .where('created_by', '=', personId)
    .where(isActive(Date.now()))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => name);
}

export async function revokeAllKeys(transaction: DatabaseTransaction, organisationId: string): Promise<void> {
  await transaction
    .updateTable('api_keys')
    .set({ revoked_at: Date.now() })
    .where('organisation_id', '=', organisationId)
    .where('revoked_at', 'is', null)
    .execute();
}
