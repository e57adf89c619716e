/** Sessions of signed-in browsers, found by the hash of their cookie. Ended one by one or all at once. */

import { DAY_MS } from '../../contract/limits.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import { lockPerson, lockWithPassword, type Person } from './person-store.js';
import { tokenHash } from '../secret-token.js';

/** An unused session ends after this time. */
export const SESSION_IDLE_MS = 14 * DAY_MS;

/** Maximum number of a person's sessions. Another one ends the oldest. */
const MAX_SESSIONS = 50;

/** Every session ends after this time, even while in use. */
const MAX_SESSION_MS = 90 * DAY_MS;

/** The person who signs in, with the browser's `User-Agent`. */
interface SignedInFrom extends Actor {
  browser: string;
}

/** One of a person's signed-in browsers. */
interface OwnSession {
  /** Identifies the session to its owner. Not a credential. */
  id: string;
  address: string;
  /** Its `User-Agent`. */
  browser: string;
  /** Unix milliseconds. */
  createdAt: number;
}

/** Length of the part of a session's hash that serves as its id. */
const SESSION_ID_CHARACTERS = 16;

export class SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The person signed in with this cookie value, and the end of the session (Unix milliseconds). */
  async find(key: string): Promise<{ person: Person; expiresAt: number } | undefined> {
    const row = await this.#database
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .select(['people.id', 'email', 'name', 'is_operator as isOperator', 'sessions.expires_at as expiresAt'])
      .where('key_hash', '=', tokenHash(key))
      .where('sessions.expires_at', '>', Date.now())
      .executeTakeFirst();
    if (row === undefined) {
      return undefined;
    }
    const { expiresAt, isOperator, ...person } = row;
    return { person: { ...person, isOperator: isOperator === 1 }, expiresAt };
  }

  /**
   * Starts a session, with its entry in the audit log.
   * @param passwordHash hash of the password that was given, if one was given
   * @throws AccountError `conflict` when the password was changed meanwhile, which ends all earlier sessions
   */
  async start(key: string, actor: SignedInFrom, lifetimeMs: number, passwordHash?: string): Promise<void> {
    const now = Date.now();
    await transact(this.#database, async (transaction) => {
      if (passwordHash !== undefined && !(await lockWithPassword(transaction, actor.personId, passwordHash))) {
        throw new AccountError('conflict', 'Your password was just changed. Sign in again.');
      }
      await transaction.deleteFrom('sessions').where('key_hash', '=', tokenHash(key)).execute();
      await transaction
        .insertInto('sessions')
        .values({
          key_hash: tokenHash(key),
          person_id: actor.personId,
          address: actor.address,
          browser: actor.browser.slice(0, 200),
          created_at: now,
          expires_at: now + lifetimeMs,
        })
        .execute();
      await endOldest(transaction, actor.personId);
      await audit(transaction, actor, null, 'signed-in');
    });
  }

  /** Extends an existing session to `lifetimeMs` from now, but not beyond `MAX_SESSION_MS`. */
  async extend(key: string, lifetimeMs: number): Promise<void> {
    const expiresAt = Date.now() + lifetimeMs;
    await this.#database
      .updateTable('sessions')
      .set((column) => {
        const last = column('created_at', '+', MAX_SESSION_MS);
        return { expires_at: column.case().when(last, '<', expiresAt).then(last).else(expiresAt).end() };
      })
      .where('key_hash', '=', tokenHash(key))
      .execute();
  }

  async remove(key: string): Promise<void> {
    await this.#database.deleteFrom('sessions').where('key_hash', '=', tokenHash(key)).execute();
  }

  /** A person's sessions, latest first. */
  async list(personId: string): Promise<OwnSession[]> {
    const rows = await this.#database
      .selectFrom('sessions')
      .select(['key_hash', 'address', 'browser', 'created_at as createdAt'])
      .where('person_id', '=', personId)
      .where('expires_at', '>', Date.now())
      .orderBy('created_at', 'desc')
      .limit(MAX_SESSIONS)
      .execute();
    return rows.map(({ key_hash: hash, ...session }) => ({ id: sessionId(hash), ...session }));
  }

  async end(actor: Actor, id: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const rows = await transaction
        .selectFrom('sessions')
        .select('key_hash')
        .where('person_id', '=', actor.personId)
        .execute();
      const hash = rows.map((row) => row.key_hash).find((each) => sessionId(each) === id);
      if (hash !== undefined) {
        await transaction.deleteFrom('sessions').where('key_hash', '=', hash).execute();
        await audit(transaction, actor, null, 'session-ended');
      }
    });
  }
}

/**
 * Makes sure that the actor's session has not ended, and keeps it from ending before the transaction does: a new password ends what
 * was begun in it. @throws AccountError `conflict`
 */
export async function requireSession(
  transaction: DatabaseTransaction,
  { personId }: Actor,
  keyHash: string,
): Promise<void> {
  await lockPerson(transaction, personId);
  const session = await transaction
    .selectFrom('sessions')
    .select('key_hash')
    .where('key_hash', '=', keyHash)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (session === undefined) {
    throw new AccountError('conflict', 'You were signed out meanwhile. Sign in again.');
  }
}

/** Ends a person's oldest sessions beyond `MAX_SESSIONS`. */
async function endOldest(transaction: DatabaseTransaction, personId: string): Promise<void> {
  const sessions = await transaction
    .selectFrom('sessions')
    .select('key_hash')
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .execute();
  const oldest = sessions.slice(MAX_SESSIONS).map(({ key_hash: hash }) => hash);
  if (oldest.length > 0) {
    await transaction.deleteFrom('sessions').where('key_hash', 'in', oldest).execute();
  }
}

/** A session's id, as shown to its owner. @param hash of the session's cookie value */
export function sessionId(hash: string): string {
  return hash.slice(0, SESSION_ID_CHARACTERS);
}
