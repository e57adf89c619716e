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

/** Every session ends after this time, however much it is used. */
const LONGEST_SESSION_MS = 90 * DAY_MS;

export class SessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Who is signed in with a cookie's value, and until when (Unix milliseconds). */
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

  /** Whether a cookie's value signs in somebody who is a member of the organisation, now. */
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
  async start(key: string, actor: Actor, lifetimeMs: number, passwordHash?: string): Promise<void> {
    const now = Date.now();
    await transact(this.#database, async (transaction) => {
      if (passwordHash !== undefined && !(await lockWithPassword(transaction, actor.personId, passwordHash))) {
        throw new AccountError('conflict', 'Your password was just changed. Sign in again.');
      }
      await new SessionStore(transaction).remove(key);
      await transaction
        .insertInto('sessions')
        .values({ key_hash: tokenHash(key), person_id: actor.personId, created_at: now, expires_at: now + lifetimeMs })
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

  /** Number of browsers that a person is signed in with. */
  async count(personId: string): Promise<number> {
    const { count } = await this.#database
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .where('expires_at', '>', Date.now())
      .executeTakeFirstOrThrow();
    return count;
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
