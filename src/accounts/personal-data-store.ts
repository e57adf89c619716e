/** The data that the service keeps about a person, for the person: without secrets, and without others' acts. */

import type { Database } from '../database/connection.js';
import { actionsOf } from './audit-store.js';

export class PersonalData {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Everything but the actions, by kind. */
  async of(personId: string): Promise<Readonly<Record<string, unknown>>> {
    const [account, organisations, sessions, connectedAccounts, apiKeys, invitations] = await Promise.all([
      this.#account(personId),
      this.#organisations(personId),
      this.#sessions(personId),
      this.#connectedAccounts(personId),
      this.#apiKeys(personId),
      this.#invitations(personId),
    ]);
    return { account, organisations, sessions, connectedAccounts, apiKeys, invitations };
  }

  /** The entries of the person's own acts, newest first, page by page. */
  async *actions(personId: string): AsyncGenerator<object[]> {
    for await (const page of actionsOf(this.#database, personId)) {
      yield page.map(({ organisationId, action, subject, address, createdAt }) => ({
        time: isoTime(createdAt),
        organisationId,
        action,
        subject,
        address,
      }));
    }
  }

  async #account(personId: string) {
    const person = await this.#database
      .selectFrom('people')
      .select(['id', 'email', 'name', 'password_hash', 'totp_secret', 'is_operator', 'created_at'])
      .where('id', '=', personId)
      .executeTakeFirstOrThrow();
    return {
      id: person.id,
      email: person.email,
      name: person.name,
      hasPassword: person.password_hash !== null,
      hasSecondFactor: person.totp_secret !== null,
      isOperator: person.is_operator === 1,
      created: isoTime(person.created_at),
    };
  }

  async #organisations(personId: string) {
    const rows = await this.#database
      .selectFrom('memberships')
      .innerJoin('organisations', 'organisations.id', 'memberships.organisation_id')
      .select(['organisations.id', 'organisations.name', 'role', 'memberships.created_at as joinedAt'])
      .where('person_id', '=', personId)
      .orderBy('memberships.created_at')
      .execute();
    return rows.map(({ joinedAt, ...row }) => ({ ...row, joined: isoTime(joinedAt) }));
  }

  async #sessions(personId: string) {
    const rows = await this.#database
      .selectFrom('sessions')
      .select(['address', 'browser', 'created_at as createdAt', 'expires_at as expiresAt'])
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(({ createdAt, expiresAt, ...row }) => ({
      ...row,
      created: isoTime(createdAt),
      expires: isoTime(expiresAt),
    }));
  }

  async #connectedAccounts(personId: string) {
    const rows = await this.#database
      .selectFrom('identities')
      .select(['issuer', 'subject', 'created_at as createdAt'])
      .where('person_id', '=', personId)
      .orderBy('created_at')
      .execute();
    return rows.map(({ createdAt, ...row }) => ({ ...row, connected: isoTime(createdAt) }));
  }

  async #apiKeys(personId: string) {
    const rows = await this.#database
      .selectFrom('memberships')
      .innerJoin('api_keys', 'api_keys.organisation_id', 'memberships.organisation_id')
      .select(['api_keys.organisation_id as organisationId', 'name', 'prefix', 'api_keys.created_at as createdAt'])
      .where('memberships.person_id', '=', personId)
      .where('created_by', '=', personId)
      .where('revoked_at', 'is', null)
      .orderBy('api_keys.created_at')
      .execute();
    return rows.map(({ createdAt, ...row }) => ({ ...row, created: isoTime(createdAt) }));
  }

  /** Open invitations to the person's address. */
  async #invitations(personId: string) {
    const rows = await this.#database
      .selectFrom('people')
      .innerJoin('invitations', 'invitations.email', 'people.email')
      .select(['organisation_id as organisationId', 'role', 'invitations.created_at as createdAt'])
      .where('people.id', '=', personId)
      .where('expires_at', '>', Date.now())
      .orderBy('invitations.created_at')
      .execute();
    return rows.map(({ createdAt, ...row }) => ({ ...row, created: isoTime(createdAt) }));
  }
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
