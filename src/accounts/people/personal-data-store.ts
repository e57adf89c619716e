/** The data that the service keeps about a person, for the person: without secrets, and without others' acts. */

import type { Database } from '../../database/connection.js';
import { actionsOf } from '../audit-store.js';

export class PersonalData {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Everything but the actions, by kind. */
  async of(personId: string): Promise<Readonly<Record<string, unknown>>> {
    const [account, organisations, sessions, connectedAccounts, apiKeys, invitations] = await Promise.all([
      this.#account(personId),
      rowsOf(this.#organisations(personId)),
      rowsOf(this.#sessions(personId)),
      rowsOf(this.#connectedAccounts(personId)),
      rowsOf(this.#apiKeys(personId)),
      rowsOf(this.#invitations(personId)),
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

  #organisations(personId: string) {
    return this.#database
      .selectFrom('memberships')
      .innerJoin('organisations', 'organisations.id', 'memberships.organisation_id')
      .select(['organisations.id', 'organisations.name', 'role', 'memberships.created_at as joined'])
      .where('person_id', '=', personId)
      .orderBy('memberships.created_at');
  }

  #sessions(personId: string) {
    return this.#database
      .selectFrom('sessions')
      .select(['address', 'browser', 'created_at as created', 'expires_at as expires'])
      .where('person_id', '=', personId)
      .orderBy('created_at', 'desc');
  }

  #connectedAccounts(personId: string) {
    return this.#database
      .selectFrom('identities')
      .select(['issuer', 'subject', 'created_at as connected'])
      .where('person_id', '=', personId)
      .orderBy('created_at');
  }

  #apiKeys(personId: string) {
    return this.#database
      .selectFrom('memberships')
      .innerJoin('api_keys', 'api_keys.organisation_id', 'memberships.organisation_id')
      .select(['api_keys.organisation_id as organisationId', 'name', 'prefix', 'api_keys.created_at as created'])
      .where('memberships.person_id', '=', personId)
      .where('created_by', '=', personId)
      .where('revoked_at', 'is', null)
      .orderBy('api_keys.created_at');
  }

  /** Open invitations to the person's address. */
  #invitations(personId: string) {
    return this.#database
      .selectFrom('people')
      .innerJoin('invitations', 'invitations.email', 'people.email')
      .select(['organisation_id as organisationId', 'role', 'invitations.created_at as created'])
      .where('people.id', '=', personId)
      .where('expires_at', '>', Date.now())
      .where('used_at', 'is', null)
      .orderBy('invitations.created_at');
  }
}

/** Rows whose numbers are times, with the times as text. */
async function rowsOf(query: { execute: () => Promise<object[]> }): Promise<object[]> {
  const withText = ([name, value]: [string, unknown]) => [name, typeof value === 'number' ? isoTime(value) : value];
  return (await query.execute()).map((row) => Object.fromEntries(Object.entries(row).map(withText)) as object);
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
