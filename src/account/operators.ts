/** Who runs the service: made by a one-time link that the start, or the command line, prints. */

import { grantCredits } from '../credits/ledger.js';
import type { Database } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { type Actor, audit } from './audit-store.js';
import { issueLink, type LinkState, lookUpLink, redeemLink } from './one-time-link-store.js';
import { hashPassword } from './password.js';
import { findPerson, insertPerson, setPassword } from './person-store.js';
import { isFirstSending } from './sent-form-store.js';

export interface NewOperator {
  name: string;
  email: string;
  password: string;
}

export interface Grant {
  organisationId: string;
  /** A positive whole number. */
  credits: number;
  reason: string;
}

export class Operators {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether anybody runs the service yet. */
  async any(): Promise<boolean> {
    const operator = await this.#database
      .selectFrom('people')
      .select('id')
      .where('is_operator', '=', 1)
      .limit(1)
      .executeTakeFirst();
    return operator !== undefined;
  }

  /** Issues the link's token; earlier links end. */
  async issueLink(): Promise<string> {
    return transact(this.#database, (transaction) => issueLink(transaction, 'operator', {}));
  }

  lookUpLink(token: string): Promise<LinkState> {
    return lookUpLink(this.#database, 'operator', token);
  }

  /** Uses the link up: makes an account, or gives the one that the address has the right and the password. @throws AccountError `link_ended` */
  async becomeOperator(token: string, { name, email, password }: NewOperator, address: string): Promise<string> {
    // First, since a hash is work that nobody makes us do without a link.
    requireOpen(await this.lookUpLink(token));
    const passwordHash = await hashPassword(password);
    return transact(this.#database, async (transaction) => {
      requireOpen(await redeemLink(transaction, 'operator', token));
      const known = await findPerson(transaction, 'email', email);
      let personId = known?.id;
      if (personId === undefined) {
        personId = await insertPerson(transaction, { name, email, passwordHash, isOperator: true });
      } else {
        await transaction.updateTable('people').set({ is_operator: 1 }).where('id', '=', personId).execute();
        await setPassword(transaction, personId, passwordHash);
      }
      await audit(transaction, { personId, address }, null, 'became-operator');
      return personId;
    });
  }

  /**
   * Grants credits, as an operator; the form `formId` does so once, however often it is sent.
   * @throws AccountError `not_found` for who is no operator; ApiError `not_found`
   */
  async grant(actor: Actor, { organisationId, credits, reason }: Grant, formId: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      if ((await findPerson(transaction, 'id', actor.personId))?.isOperator !== true) {
        throw new AccountError('not_found', 'There is nothing at this address.');
      }
      if (await isFirstSending(transaction, actor.personId, formId)) {
        await grantCredits(transaction, organisationId, credits, reason, { personId: actor.personId });
        await audit(transaction, actor, organisationId, 'credits-granted', `${credits}: ${reason}`);
      }
    });
  }
}

/** @throws AccountError `link_ended` */
function requireOpen({ state }: LinkState): void {
  if (state !== 'open') {
    throw new AccountError('link_ended', 'The link has been used or has ended. Print another one.');
  }
}
