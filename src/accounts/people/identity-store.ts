/** Identities of people who sign in through OpenID Connect: maps them to accounts, and their groups to memberships. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import type { Role } from '../../database/schema.js';
import { isDuplicate, transact } from '../../database/transaction.js';
import type { Log } from '../../platform/log.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import { type AskedConnection, insertConnection, mailConnected, redeemConnection } from './connection-store.js';
import { emailAddress } from '../required-text.js';
import type { Identity } from './identity-provider.js';
import { withdrawUnauthorised } from '../organisations/invitation-store.js';
import { reportKeysOfLeaver } from '../keys/keys-of-leavers.js';
import type { AccountDependencies } from '../letters.js';
import {
  deleteMembership,
  updateOwnerEmail,
  hasOtherOwner,
  insertMembership,
  lockMembers,
  ROLES,
  roleOf,
  setRole,
} from '../organisations/membership-store.js';
import { voidLinksTo } from './one-time-link-store.js';
import { findPerson, insertPerson } from './person-store.js';

/** A group of the provider, and the role that its members get in an organisation. */
export interface GroupRole {
  group: string;
  organisationId: string;
  role: Role;
}

export class IdentityStore {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;
  readonly #groupRoles: readonly GroupRole[];
  readonly #log: Log;

  constructor(dependencies: AccountDependencies, groupRoles: readonly GroupRole[], log: Log) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
    this.#groupRoles = groupRoles;
    this.#log = log;
  }

  /**
   * Finds or creates the account of an identity, and sets its roles in the organisations mapped to groups, where they are known.
   * @param address the client's IP address
   * @param asked connects the identity to the account of the person who asked for it
   * @returns the person's id
   * @throws AccountError `forbidden` without an email address, for a new account with one that is not verified, or when
   * another person is signed in than the one who asked; `link_ended` when the time for connecting is over; `conflict` when
   * the address or the identity belongs to another account
   */
  async enter(identity: Identity, address: string, asked?: AskedConnection): Promise<string> {
    const enterOnce = () =>
      transact(this.#database, async (transaction) => {
        const entered = await this.#personOf(transaction, identity, address, asked);
        if (identity.groups !== undefined) {
          await this.#applyGroups(transaction, { personId: entered, address }, identity.groups);
        }
        return entered;
      });
    // Of two first sign-ins at once the second finds, in another transaction, what the first has inserted.
    const personId = await enterOnce().catch((error: unknown) => {
      if (!isDuplicate(error)) {
        throw error;
      }
      return enterOnce();
    });
    if (identity.groups === undefined && this.#groupRoles.length > 0) {
      this.#log.warn(
        { personId },
        'accounts: the provider has left out the groups of a person, whose roles stay as they are',
      );
    }
    return personId;
  }

  async #personOf(
    transaction: DatabaseTransaction,
    identity: Identity,
    address: string,
    asked: AskedConnection | undefined,
  ): Promise<string> {
    const signedInAs = asked && (await redeemConnection(transaction, asked));
    const known = await transaction
      .selectFrom('identities')
      .select('person_id')
      .where('issuer', '=', identity.issuer)
      .where('subject', '=', identity.subject)
      .executeTakeFirst();
    if (known !== undefined) {
      if (signedInAs !== undefined && signedInAs !== known.person_id) {
        throw new AccountError('conflict', 'This company account belongs to somebody else here. Sign out first.');
      }
      return known.person_id;
    }
    // Otherwise anybody at the provider could hold an account with somebody else's address, who would sign in to it later, and
    // would learn which addresses have accounts.
    if (signedInAs === undefined && identity.isEmailVerified === false) {
      throw new AccountError(
        'forbidden',
        'Your company account’s email address is not verified. Verify it there. If you have an account here, sign in with its password, then connect your company account in your profile.',
      );
    }
    const personId = signedInAs ?? (await this.#knownByAddress(transaction, identity));
    if (personId === undefined) {
      return this.#signUp(transaction, identity, address);
    }
    await insertConnection(transaction, identity, { personId, address });
    await mailConnected(this.#dependencies, transaction, personId, identity.issuer);
    return personId;
  }

  /** The person whose address the identity has. @throws AccountError */
  async #knownByAddress(transaction: DatabaseTransaction, identity: Identity): Promise<string | undefined> {
    const person = await findPerson(transaction, 'email', addressOf(identity));
    if (person !== undefined && !identity.isEmailVerified) {
      throw new AccountError(
        'conflict',
        'There is an account with your email address. Sign in with its password, then connect your company account in your profile.',
      );
    }
    return person?.id;
  }

  /** Creates an account for an identity. @throws AccountError `forbidden` when it has no address */
  async #signUp(transaction: DatabaseTransaction, identity: Identity, address: string): Promise<string> {
    const email = addressOf(identity);
    // As people may type it: in a letter, a line end would begin a paragraph that the service seems to have written.
    const given = (identity.name ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
    const name = [...(given || email)].slice(0, 200).join('');
    const personId = await insertPerson(transaction, {
      email,
      name,
      passwordHash: null,
      hasWelcome: identity.isEmailVerified === true,
    });
    await voidLinksTo(transaction, email);
    await audit(transaction, { personId, address }, null, 'signed-up', email);
    await insertConnection(transaction, identity, { personId, address });
    return personId;
  }

  /**
   * Sets memberships in the organisations that groups are mapped to, and in no others. The last owner keeps the role.
   */
  async #applyGroups(transaction: DatabaseTransaction, actor: Actor, groups: readonly string[]): Promise<void> {
    for (const organisationId of new Set(this.#groupRoles.map((mapping) => mapping.organisationId)).values()) {
      const given = new Set(
        this.#groupRoles
          .filter((mapping) => mapping.organisationId === organisationId && groups.includes(mapping.group))
          .map(({ role }) => role),
      );
      const role = ROLES.find((rank) => given.has(rank));
      await this.#setMembership(transaction, actor, organisationId, role);
    }
  }

  async #setMembership(
    transaction: DatabaseTransaction,
    actor: Actor,
    organisationId: string,
    role: Role | undefined,
  ): Promise<void> {
    const { personId } = actor;
    // Most sign-ins change nothing, and lock nothing.
    if ((await roleOf(transaction, organisationId, personId)) === role) {
      return;
    }
    if (!(await lockMembers(transaction, organisationId))) {
      return;
    }
    // The role may have changed until the lock.
    const before = await roleOf(transaction, organisationId, personId);
    if (before === role) {
      return;
    }
    if (before === 'owner' && !(await hasOtherOwner(transaction, organisationId, personId))) {
      return;
    }
    if (role === undefined) {
      await deleteMembership(transaction, organisationId, personId);
      await audit(transaction, actor, organisationId, 'left', 'by groups of the identity provider');
      await reportKeysOfLeaver(this.#dependencies, transaction, actor, { organisationId, personId });
    } else if (before === undefined) {
      await insertMembership(transaction, organisationId, personId, role);
      await audit(transaction, actor, organisationId, 'joined', `${role}, by groups of the identity provider`);
    } else {
      await setRole(transaction, organisationId, personId, role);
      const action = role === 'owner' ? 'ownership-shared' : 'role-changed';
      await audit(transaction, actor, organisationId, action, `${role}, by groups of the identity provider`);
    }
    await updateOwnerEmail(transaction, organisationId);
    await withdrawUnauthorised(transaction, actor, organisationId, { personId, role });
  }
}

/** The identity's address. @throws AccountError `forbidden` */
function addressOf({ email }: Identity): string {
  const address = emailAddress(email ?? '');
  if (address === undefined) {
    throw new AccountError('forbidden', 'Your company account has no email address. Ask your administrator for one.');
  }
  return address;
}
