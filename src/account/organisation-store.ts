/** Organisations: who owns keys, credits and jobs. */

import { grantCredits } from '../credits/ledger.js';
import type { Database } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { transact } from '../database/transaction.js';
import { requireText } from './required-text.js';

export interface Organisation {
  id: string;
  name: string;
  ownerEmail: string;
  /** Credits available to spend. */
  balance: number;
  /** Unix milliseconds. */
  createdAt: number;
}

export interface NewOrganisation {
  /** 1 to 200 characters. */
  name: string;
  ownerEmail: string;
  /** Granted at once; 0 or a positive whole number. */
  credits: number;
}

export class OrganisationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates an organisation with its first credits and returns its id. @throws ApiError `invalid_input`. */
  async create({ name, ownerEmail, credits }: NewOrganisation): Promise<string> {
    const organisation = {
      id: newRowId(),
      name: requireText(name, '/name', 200),
      // RFC 5321: 64 characters, the at sign, 255 characters.
      owner_email: requireText(ownerEmail, '/ownerEmail', 320),
      balance: 0,
      created_at: Date.now(),
    };
    await transact(this.#database, async (transaction) => {
      await transaction.insertInto('organisations').values(organisation).execute();
      if (credits !== 0) {
        await grantCredits(transaction, organisation.id, credits, 'first credits');
      }
    });
    return organisation.id;
  }

  /** All organisations, oldest first. */
  async list(): Promise<Organisation[]> {
    return this.#database
      .selectFrom('organisations')
      .select(['id', 'name', 'owner_email as ownerEmail', 'balance', 'created_at as createdAt'])
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }
}
