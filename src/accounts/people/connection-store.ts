/** Identities of the provider that are connected to accounts: asking for one, listing and disconnecting them. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import type { Identity } from './identity-provider.js';
import {
  type AccountDependencies,
  accountUrl,
  identityConnectedLetter,
  identityDisconnectedLetter,
  mailPerson,
} from '../letters.js';
import { issueLink, redeemLink, requireOpen } from './one-time-link-store.js';
import { endSessions, lockPerson } from './person-store.js';
import { tokenHash } from '../secret-token.js';

/** A connected identity, as its person sees it. */
interface ConnectedIdentity {
  /** Identifies it to its person. Not a credential. */
  id: string;
  issuer: string;
  /** Unix milliseconds. */
  createdAt: number;
}

/** A connection that a person asked for, and confirmed, before they went to the provider. */
export interface AskedConnection {
  /** The token that `ConnectionStore.begin` returned. */
  token: string;
  /** The person signed in with the browser that comes back from the provider. */
  personId: string | undefined;
}

/** Length of the part of an identity's hash that serves as its id. */
const IDENTITY_ID_CHARACTERS = 16;

export class ConnectionStore {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
  }

  /**
   * Begins to connect an identity to a person's account, once they have confirmed it. @returns a token for
   * `IdentityStore.enter`, which a new password voids
   */
  async begin(personId: string): Promise<string> {
    return transact(this.#database, (transaction) => issueLink(transaction, 'connection', { personId }));
  }

  /** A person's identities, latest first. */
  async list(personId: string): Promise<ConnectedIdentity[]> {
    const rows = await identitiesOf(this.#database, personId);
    return rows.map(({ issuer, subject, createdAt }) => ({ id: identityId(issuer, subject), issuer, createdAt }));
  }

  /**
   * Disconnects one of a person's identities and ends their other sessions, which it may have begun.
   * @param needsOne true for a person who signs in by the provider alone
   * @throws AccountError `not_found`; `conflict` for the last identity of such a person
   */
  async disconnect(
    actor: Actor,
    id: string,
    { needsOne, sessionKeyHash }: { needsOne: boolean; sessionKeyHash: string },
  ): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await lockPerson(transaction, actor.personId);
      const identities = await identitiesOf(transaction, actor.personId);
      const identity = identities.find(({ issuer, subject }) => identityId(issuer, subject) === id);
      if (identity === undefined) {
        throw new AccountError('not_found', 'This company account is not connected, or was disconnected before.');
      }
      if (needsOne && identities.length === 1) {
        throw new AccountError('conflict', 'You could not sign in any more: this is the only way in to your account.');
      }
      await disconnect(this.#dependencies, transaction, actor, identity);
      await endSessions(transaction, actor.personId, sessionKeyHash);
    });
  }
}

/** Disconnects all identities of a person, with a mail for each. */
export async function disconnectAll(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  actor: Actor,
): Promise<void> {
  for (const identity of await identitiesOf(transaction, actor.personId)) {
    await disconnect(dependencies, transaction, actor, identity);
  }
}

type StoredIdentity = Pick<Identity, 'issuer' | 'subject'> & { createdAt: number };

async function identitiesOf(database: Database, personId: string): Promise<StoredIdentity[]> {
  return database
    .selectFrom('identities')
    .select(['issuer', 'subject', 'created_at as createdAt'])
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .orderBy('subject')
    .execute();
}

/** An identity's id, as shown to its person. */
function identityId(issuer: string, subject: string): string {
  return tokenHash(`${issuer}\n${subject}`).slice(0, IDENTITY_ID_CHARACTERS);
}

/** Connects an identity to the actor's account. */
export async function insertConnection(
  transaction: DatabaseTransaction,
  identity: Pick<Identity, 'issuer' | 'subject'>,
  actor: Actor,
): Promise<void> {
  const { issuer, subject } = identity;
  await transaction
    .insertInto('identities')
    .values({ issuer, subject, person_id: actor.personId, created_at: Date.now() })
    .execute();
  await audit(transaction, actor, null, 'identity-connected', issuer);
}

async function disconnect(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  actor: Actor,
  { issuer, subject }: StoredIdentity,
): Promise<void> {
  await transaction.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject).execute();
  await audit(transaction, actor, null, 'identity-disconnected', issuer);
  const url = accountUrl(dependencies, 'you');
  await mailPerson(transaction, actor.personId, (name) => identityDisconnectedLetter(name, issuer, url));
}

/** Tells a person that an identity was connected to their account. */
export async function mailConnected(
  dependencies: AccountDependencies,
  transaction: DatabaseTransaction,
  personId: string,
  issuer: string,
): Promise<void> {
  const url = accountUrl(dependencies, 'you');
  await mailPerson(transaction, personId, (name) => identityConnectedLetter(name, issuer, url));
}

/** The person who asked for a connection. @throws AccountError `link_ended`, `forbidden` */
export async function redeemConnection(
  transaction: DatabaseTransaction,
  { token, personId }: AskedConnection,
): Promise<string> {
  const link = requireOpen(await redeemLink(transaction, 'connection', token), 'Connect again in your profile.');
  if (personId === undefined || link.personId !== personId) {
    throw new AccountError('forbidden', 'Sign in to the account that you want to connect, then connect again.');
  }
  return personId;
}
