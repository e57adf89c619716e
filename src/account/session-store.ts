/** Browsers that are signed in: known by the hash of their cookie, ended one by one or all at once. */

import type { Database } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { type Actor, audit } from './audit-store.js';
import { lockWithPassword, type Person } from './person-store.js';
import { tokenHash } from './secret-token.js';

const DAY_MS = 86_400_000;

/** A session that nobody uses ends after this time. */
export const SESSION_IDLE_MS = 14 * DAY_MS;

/** Sessions on the page of a person; who has more ends them all at once. */
const MOST_LISTED = 50;

/** Every session ends after this time, however much it is used. */
const LONGEST_SESSION_MS = 90 * DAY_MS;

/** The person who signs in, and the browser (its `User-Agent`). */
export interface SignedInFrom extends Actor {
  browser: string;
}

/** A browser that somebody is signed in with. */
export interface OwnSession {
  /** Names the session to its owner; signs nobody in. */
  id: string;
  address: string;
  /** Its `User-Agent`. */
  browser: string;
  /** Unix milliseconds. */
  createdAt: number;
}

/** Characters of a session's hash that name it to its owner. */
const SESSION_ID_CHARACTERS = 16;

export class SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The person who is signed in with a cookie's value, and the end of the session (Unix milliseconds). */
  async find(key: string): Promise<{ person: Person; expiresAt: number } | undefined> {
    const now = Date.now();
    const row = await this.#database
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .select(['people.id', 'email', 'name', 'is_operator as isOperator'])
      .select(['people.created_at as createdAt', 'sessions.expires_at as expiresAt'])
      .where('key_hash', '=', tokenHash(key))
      .where('sessions.expires_at', '>', now)
      .where('sessions.created_at', '>', now - LONGEST_SESSION_MS)
      .executeTakeFirst();
    if (row === undefined) {
      return undefined;
    }
    const { expiresAt, isOperator, ...person } = row;
    return { person: { ...person, isOperator: isOperator === 1 }, expiresAt };
  }

  /** True where a cookie's value signs in somebody who is a member of the organisation now. */
  async isMember(key: string, organisationId: string): Promise<boolean> {
    const now = Date.now();
    const row = await this.#database
      .selectFrom('sessions')
      .innerJoin('memberships', 'memberships.person_id', 'sessions.person_id')
      .select('sessions.person_id')
      .where('key_hash', '=', tokenHash(key))
      .where('sessions.expires_at', '>', now)
      .where('sessions.created_at', '>', now - LONGEST_SESSION_MS)
      .where('memberships.organisation_id', '=', organisationId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Signs somebody in: there is no session without its entry in the log.
   * @param passwordHash of the password that they gave, where they gave one
   * @throws AccountError `conflict` when the password was changed meanwhile, which ends every session that was there
   */
  async start(key: string, actor: SignedInFrom, lifetimeMs: number, passwordHash?: string): Promise<void> {
    const now = Date.now();
    await transact(this.#database, async (transaction) => {
      if (passwordHash !== undefined && !(await lockWithPassword(transaction, actor.personId, passwordHash))) {
        throw new AccountError('conflict', 'Your password was just changed. Sign in again.');
      }
      await new SessionStore(transaction).remove(key);
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
      await audit(transaction, actor, null, 'signed-in');
    });
  }

  /** Lets a session, if it is still there, go on for another `lifetimeMs`. */
  async extend(key: string, lifetimeMs: number): Promise<void> {
    await this.#database
      .updateTable('sessions')
      .set({ expires_at: Date.now() + lifetimeMs })
      .where('key_hash', '=', tokenHash(key))
      .execute();
  }

  async remove(key: string): Promise<void> {
    await this.#database.deleteFrom('sessions').where('key_hash', '=', tokenHash(key)).execute();
  }

  /** Browsers that a person is signed in with, the latest first. */
  async list(personId: string): Promise<OwnSession[]> {
    const rows = await this.#database
      .selectFrom('sessions')
      .select(['key_hash', 'address', 'browser', 'created_at as createdAt'])
      .where('person_id', '=', personId)
      .where('expires_at', '>', Date.now())
      .orderBy('created_at', 'desc')
      .limit(MOST_LISTED)
      .execute();
    return rows.map(({ key_hash: hash, ...session }) => ({ id: sessionId(hash), ...session }));
  }

  /** Ends one of a person's sessions, by its id. */
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

  /** Ends every session of a person. */
  async removeAll(personId: string): Promise<void> {
    await this.#database.deleteFrom('sessions').where('person_id', '=', personId).execute();
  }

  /** Deletes the sessions, one-time links, invitations and memories of forms that have expired by `time` (Unix milliseconds). */
  async sweep(time: number): Promise<void> {
    for (const table of ['sessions', 'one_time_links', 'invitations', 'sent_forms'] as const) {
      await this.#database.deleteFrom(table).where('expires_at', '<=', time).execute();
    }
  }
}

/** The id by which a session's owner knows it. @param hash that the session is stored under */
export function sessionId(hash: string): string {
  return hash.slice(0, SESSION_ID_CHARACTERS);
}
