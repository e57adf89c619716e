/** Sign-up: an organisation with its owner, whose confirmed address brings the first credits. */

import type { DatabaseTransaction } from '../database/connection.js';
import { isDuplicate, transact } from '../database/transaction.js';
import { postMail } from '../mail/mail-store.js';
import { AccountError } from './account-error.js';
import { type AccountRooms, accountUrl } from './account-rooms.js';
import { audit } from './audit-store.js';
import { confirmAddress } from './confirm-address.js';
import { joinByInvitation } from './invitation-store.js';
import { alreadyRegisteredLetter, verificationLetter } from './letters.js';
import { insertMembership } from './membership-store.js';
import { issueLink, type LinkState, lookUpLink, redeemLink } from './one-time-link-store.js';
import { insertOrganisation } from './organisation-store.js';
import { hashPassword } from './password.js';
import { findPerson, insertPerson } from './person-store.js';

export interface SignUp {
  organisation: string;
  name: string;
  email: string;
  password: string;
}

export class Registration {
  readonly #rooms: AccountRooms;

  constructor(rooms: AccountRooms) {
    this.#rooms = rooms;
  }

  /** Signs up, or tells the holder of an address that has an account: the caller cannot see which. */
  async signUp({ organisation, name, email, password }: SignUp, address: string): Promise<void> {
    const { database } = this.#rooms;
    const passwordHash = await hashPassword(password);
    try {
      await transact(database, async (transaction) => {
        const known = await findPerson(transaction, 'email', email);
        if (known !== undefined) {
          const letter = alreadyRegisteredLetter(known.name, accountUrl(this.#rooms, 'sign-in'));
          await postMail(transaction, email, letter);
          return;
        }
        const personId = await insertPerson(transaction, { email, name, passwordHash, verifiedAt: null });
        const organisationId = await insertOrganisation(transaction, organisation, email);
        await insertMembership(transaction, organisationId, personId, 'owner');
        await audit(transaction, { personId, address }, organisationId, 'signed-up', email);
        await this.#postVerification(transaction, { id: personId, name, email });
      });
    } catch (error) {
      // Two forms with one address at once: the other one was first, and its letter is on its way.
      if (!isDuplicate(error)) {
        throw error;
      }
    }
    this.#rooms.wakePostman();
  }

  /**
   * Makes an account for the address of an invitation, which its link confirms, and joins. Returns the ids.
   * @throws AccountError `link_ended`; `conflict` when the address has an account
   */
  async signUpInvited(
    { name, password }: Pick<SignUp, 'name' | 'password'>,
    invitation: { email: string; token: string },
    address: string,
  ): Promise<{ personId: string; organisationId: string }> {
    const { email, token } = invitation;
    const passwordHash = await hashPassword(password);
    return transact(this.#rooms.database, async (transaction) => {
      if ((await findPerson(transaction, 'email', email)) !== undefined) {
        throw new AccountError('conflict', `${email} has an account. Sign in to accept.`);
      }
      const personId = await insertPerson(transaction, { email, name, passwordHash, verifiedAt: Date.now() });
      const organisationId = await joinByInvitation(transaction, { personId, address }, email, token);
      return { personId, organisationId };
    });
  }

  /** Sends another verification link, which voids the earlier ones. */
  async resend(person: { id: string; name: string; email: string }): Promise<void> {
    await transact(this.#rooms.database, (transaction) => this.#postVerification(transaction, person));
    this.#rooms.wakePostman();
  }

  lookUpVerification(token: string): Promise<LinkState> {
    return lookUpLink(this.#rooms.database, 'verify', token);
  }

  /** Confirms the address of a link's person, and brings the credits to the organisations they own, once each. */
  async verify(token: string, address: string): Promise<LinkState> {
    return transact(this.#rooms.database, async (transaction) => {
      const link = await redeemLink(transaction, 'verify', token);
      if (link.state === 'open' && link.personId !== null) {
        await confirmAddress(transaction, link.personId);
        await audit(transaction, { personId: link.personId, address }, null, 'verified');
      }
      return link;
    });
  }

  async #postVerification(
    transaction: DatabaseTransaction,
    { id, name, email }: { id: string; name: string; email: string },
  ): Promise<void> {
    const token = await issueLink(transaction, 'verify', id);
    await postMail(transaction, email, verificationLetter(name, accountUrl(this.#rooms, `verify/${token}`)));
  }
}
