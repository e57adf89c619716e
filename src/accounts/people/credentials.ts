/** Signing in with a password, and setting a new one. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import { postMail } from '../../outbox/mail-store.js';
import { type Actor, COMMAND_LINE } from '../actor.js';
import { audit } from '../audit-store.js';
import { disconnectAll } from './connection-store.js';
import {
  type AccountDependencies,
  accountUrl,
  mailPerson,
  passwordChangedLetter,
  passwordResetLetter,
} from '../letters.js';
import { issueLink, type LinkState, lookUpLink, redeemLink, requireOpen } from './one-time-link-store.js';
import { hashPassword, isPassword } from './password.js';
import {
  endSessions,
  findPerson,
  lockPerson,
  lockPersonAt,
  lockWithPassword,
  type Person,
  type PersonWithPassword,
  requirePersonAt,
  setPassword,
  voidLinksOf,
} from './person-store.js';
import { removeSecondFactor } from './second-factor-store.js';

const ANOTHER_LINK = 'Ask for another one.';

export class Credentials {
  readonly #dependencies: AccountDependencies;
  readonly #database: Database;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
    this.#database = dependencies.database;
  }

  /** The person with this address and password. Undefined, after the same time, when either is wrong. */
  async check(email: string, password: string): Promise<PersonWithPassword | undefined> {
    const person = await findPerson(this.#database, 'email', email);
    return (await isPassword(password, person?.passwordHash)) ? person : undefined;
  }

  /** False for a person who signs in only through the identity provider. */
  async hasPassword(personId: string): Promise<boolean> {
    return typeof (await findPerson(this.#database, 'id', personId))?.passwordHash === 'string';
  }

  /** Mails a reset link if the address has an account. The caller cannot see whether it has. */
  async requestReset(email: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const person = await lockPersonAt(transaction, email);
      if (person !== undefined) {
        await postMail(transaction, email, passwordResetLetter(person.name, await this.#resetUrl(transaction, person)));
      }
    });
  }

  /**
   * A reset link that the command line hands over, for a person who gets no mail. @param removesSecondFactor at once, for one
   * who has neither their app nor a recovery code @throws AccountError `not_found`
   */
  async issueReset(email: string, removesSecondFactor: boolean): Promise<string> {
    return transact(this.#database, async (transaction) => {
      const person = await requirePersonAt(transaction, email);
      if (removesSecondFactor) {
        const actor = { personId: person.id, address: COMMAND_LINE.address };
        await removeSecondFactor(this.#dependencies, transaction, actor);
      }
      return this.#resetUrl(transaction, person);
    });
  }

  async #resetUrl(transaction: DatabaseTransaction, { id: personId }: Person): Promise<string> {
    return accountUrl(this.#dependencies, `reset/${await issueLink(transaction, 'reset', { personId })}`);
  }

  lookUpReset(token: string): Promise<LinkState> {
    return lookUpLink(this.#database, 'reset', token);
  }

  /** The person whose password an open link sets. */
  async personOfReset(token: string): Promise<Person | undefined> {
    const link = await this.lookUpReset(token);
    return link.state === 'open' ? findPerson(this.#database, 'id', link.personId ?? '') : undefined;
  }

  /**
   * Sets a password through a reset link, ends all sessions and disconnects all identities: whoever held the account before
   * may have connected one. @returns the person's id @throws AccountError `link_ended`
   */
  async reset(token: string, password: string, address: string): Promise<string> {
    // Checked first: nobody without a link can make the service compute a hash.
    requireOpen(await this.lookUpReset(token), ANOTHER_LINK);
    const passwordHash = await hashPassword(password);
    return transact(this.#database, async (transaction) => {
      const link = requireOpen(await redeemLink(transaction, 'reset', token), ANOTHER_LINK);
      const personId = link.personId as string;
      await setPassword(transaction, personId, passwordHash);
      await audit(transaction, { personId, address }, null, 'password-reset');
      await this.#notifyOfChange(transaction, personId);
      await disconnectAll(this.#dependencies, transaction, { personId, address });
      return personId;
    });
  }

  /** Changes a password and ends the person's other sessions. False when the current password is wrong. */
  async change(actor: Actor, current: string, next: string, sessionKeyHash: string): Promise<boolean> {
    const person = await findPerson(this.#database, 'id', actor.personId);
    const known = person?.passwordHash ?? undefined;
    if (known === undefined || !(await isPassword(current, known))) {
      return false;
    }
    const passwordHash = await hashPassword(next);
    return transact(this.#database, async (transaction) => {
      // A concurrent reset wins: somebody who only knows the old password must not undo it.
      if (!(await lockWithPassword(transaction, actor.personId, known))) {
        return false;
      }
      await setPassword(transaction, actor.personId, passwordHash, sessionKeyHash);
      await audit(transaction, actor, null, 'password-changed');
      await this.#notifyOfChange(transaction, actor.personId);
      return true;
    });
  }

  /** Mails the owner of the address, so that a change they did not make is noticed. */
  async #notifyOfChange(transaction: DatabaseTransaction, personId: string): Promise<void> {
    const url = accountUrl(this.#dependencies, 'forgot');
    await mailPerson(transaction, personId, (name) => passwordChangedLetter(name, url));
  }

  /** Ends all sessions, and what was begun in them: the unused links of the person. */
  async signOutEverywhere(actor: Actor): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await lockPerson(transaction, actor.personId);
      await endSessions(transaction, actor.personId);
      await voidLinksOf(transaction, actor.personId);
      await audit(transaction, actor, null, 'signed-out-everywhere');
    });
  }
}
