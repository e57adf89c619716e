/** Changes that people make to their own account: name, address, deletion. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { isDuplicate, transact } from '../../database/transaction.js';
import { postMail } from '../../outbox/mail-store.js';
import { AccountError } from '../account-error.js';
import { revokeAllKeys } from '../keys/api-key-store.js';
import { type Actor, COMMAND_LINE } from '../actor.js';
import { audit, forgetPerson } from '../audit-store.js';
import {
  type AccountDependencies,
  accountUrl,
  addressChangedLetter,
  addressTakenLetter,
  confirmAddressLetter,
} from '../letters.js';
import {
  deleteMembership,
  forgetOwner,
  updateOwnerEmail,
  hasOtherOwner,
  lockMembers,
  memberCount,
  membershipsOf,
  roleOf,
} from '../organisations/membership-store.js';
import { reportKeysOfLeaver } from '../keys/keys-of-leavers.js';
import { issueLink, type LinkState, lookUpLink, redeemLink, requireOpen } from './one-time-link-store.js';
import { deletePerson, findPerson, requirePersonAt, setAddress, setName } from './person-store.js';
import { requireSession } from './session-store.js';

export class Profile {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
  }

  async rename(actor: Actor, name: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await setName(transaction, actor.personId, name);
      await audit(transaction, actor, null, 'profile-changed', name);
    });
  }

  /**
   * Mails a link to a new address, which takes effect once the link is opened. An address that has an account gets a
   * different letter. The caller cannot see which. @throws AccountError `conflict` when the session has just ended
   */
  async requestAddress(actor: Actor, email: string, sessionKeyHash: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await requireSession(transaction, actor, sessionKeyHash);
      const known = await findPerson(transaction, 'email', email);
      if (known === undefined) {
        const token = await issueLink(transaction, 'address', { personId: actor.personId, email });
        await postMail(transaction, email, confirmAddressLetter(accountUrl(this.#dependencies, `address/${token}`)));
      } else {
        await postMail(transaction, email, addressTakenLetter(known.name, accountUrl(this.#dependencies, 'sign-in')));
      }
    });
  }

  /** The state of an address confirmation link, with the address. */
  async lookUpAddress(token: string): Promise<LinkState> {
    return lookUpLink(this.#database, 'address', token);
  }

  /** Sets the account's new address and notifies the old one. @throws AccountError `link_ended`, `conflict` */
  async confirmAddress(token: string, address: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const remedy = 'Ask for another one in your profile.';
      const link = requireOpen(await redeemLink(transaction, 'address', token), remedy);
      const email = link.email as string;
      const person = await findPerson(transaction, 'id', link.personId as string);
      if (person === undefined) {
        throw new AccountError('link_ended', 'The account of this link was deleted.');
      }
      await setAddress(transaction, person.id, email);
      for (const { organisationId } of await membershipsOf(transaction, person.id)) {
        await lockMembers(transaction, organisationId);
        await updateOwnerEmail(transaction, organisationId);
      }
      await audit(transaction, { personId: person.id, address }, null, 'address-changed', email);
      await postMail(
        transaction,
        person.email,
        addressChangedLetter(person.name, email, accountUrl(this.#dependencies, 'you')),
      );
    }).catch((error: unknown) => {
      throw isDuplicate(error) ? new AccountError('conflict', 'This address has an account of its own.') : error;
    });
  }

  /**
   * Deletes a person with their sessions and memberships, and what the audit log has of them alone. An organisation
   * without other members loses its keys and the owner's address, but keeps its ledger. What the person did in an
   * organisation stays in its log, without their name.
   * @throws AccountError `conflict` while the person is the last owner of an organisation with other members, or when the
   * session has just ended
   */
  async remove(actor: Actor, sessionKeyHash: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await requireSession(transaction, actor, sessionKeyHash);
      await this.#remove(transaction, actor);
    });
  }

  /** The same by the command line, for a person who cannot sign in. @throws AccountError also `not_found` */
  async removeByAddress(email: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const { id: personId } = await requirePersonAt(transaction, email);
      await this.#remove(transaction, { personId, address: COMMAND_LINE.address });
    });
  }

  async #remove(transaction: DatabaseTransaction, actor: Actor): Promise<void> {
    for (const { organisationId, organisationName } of await membershipsOf(transaction, actor.personId)) {
      await lockMembers(transaction, organisationId);
      // The role may have changed until the lock.
      const role = await roleOf(transaction, organisationId, actor.personId);
      if (role === undefined) {
        continue;
      }
      const isAlone = (await memberCount(transaction, organisationId)) === 1;
      await this.#leave(transaction, actor, { organisationId, organisationName, role, isAlone });
    }
    await deletePerson(transaction, actor.personId);
    await forgetPerson(transaction, actor.personId);
    await audit(transaction, { ...actor, address: '' }, null, 'account-deleted');
  }

  async #leave(
    transaction: DatabaseTransaction,
    actor: Actor,
    place: { organisationId: string; organisationName: string; role: string; isAlone: boolean },
  ): Promise<void> {
    const { organisationId, organisationName, role, isAlone } = place;
    if (isAlone) {
      await revokeAllKeys(transaction, organisationId);
      await forgetOwner(transaction, organisationId, actor.personId);
    } else if (role === 'owner' && !(await hasOtherOwner(transaction, organisationId, actor.personId))) {
      const who = actor.address === COMMAND_LINE.address ? 'This person is' : 'You are';
      throw new AccountError(
        'conflict',
        `${who} the last owner of ${organisationName}, which has other members. Transfer ownership first.`,
      );
    }
    await deleteMembership(transaction, organisationId, actor.personId);
    if (!isAlone) {
      await updateOwnerEmail(transaction, organisationId);
      await reportKeysOfLeaver(this.#dependencies, transaction, actor, { organisationId, personId: actor.personId });
    }
    await audit(transaction, actor, organisationId, 'left');
  }
}
