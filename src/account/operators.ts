/** Who runs the service: made by a one-time link that the start, or the command line, prints. */

import type { Database } from '../database/connection.js';
import { transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { audit } from './audit-store.js';
import { issueLink, type LinkState, lookUpLink, redeemLink } from './one-time-link-store.js';
import { hashPassword } from './password.js';
import { findPerson, insertPerson, setPassword } from './person-store.js';

export interface NewOperator {
  name: string;
  email: string;
  password: string;
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
    const passwordHash = await hashPassword(password);
    return transact(this.#database, async (transaction) => {
      const link = await redeemLink(transaction, 'operator', token);
      if (link.state !== 'open') {
        throw new AccountError('link_ended', 'The link has been used or has ended. Print another one.');
      }
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
}
