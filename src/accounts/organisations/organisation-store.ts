/** Organisations: the owners of keys, credits and jobs. */

import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.js';
import { grantCredits } from '../../credits/ledger-store.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { folded, literal, nameContains } from '../../database/folded.js';
import { isBehind } from '../../database/keyset.js';
import { newRowId } from '../../database/row-id.js';
import { transact } from '../../database/transaction.js';
import { COMMAND_LINE } from '../actor.js';
import { audit } from '../audit-store.js';
import { requireEmail, requireText } from '../required-text.js';

export interface Organisation {
  id: string;
  name: string;
  ownerEmail: string;
  /** Credits available to spend. */
  balance: number;
  /** The organisation's own monthly allowance. Null: the service's standard allowance. */
  monthlyCredits: number | null;
  /** Unix milliseconds, like `createdAt`. Null: not suspended. */
  suspendedAt: number | null;
  createdAt: number;
}

interface NewOrganisation {
  /** 1 to 200 characters. */
  name: string;
  ownerEmail: string;
  /** Granted at creation. 0 or a positive integer. */
  credits: number;
}

/** Inserts an organisation without credits and returns its id. @throws ApiError `invalid_input` */
export async function insertOrganisation(
  transaction: DatabaseTransaction,
  name: string,
  ownerEmail: string,
): Promise<string> {
  const id = newRowId();
  await transaction
    .insertInto('organisations')
    .values({
      id,
      ...nameColumns(name),
      owner_email: requireEmail(ownerEmail, '/ownerEmail'),
      balance: 0,
      created_at: Date.now(),
    })
    .execute();
  return id;
}

/** @throws ApiError `invalid_input` */
export async function renameOrganisation(transaction: DatabaseTransaction, id: string, name: string): Promise<void> {
  await transaction.updateTable('organisations').set(nameColumns(name)).where('id', '=', id).execute();
}

/** @throws ApiError `invalid_input` */
function nameColumns(typed: string) {
  const name = requireText(typed, '/name', 200);
  return { name, folded_name: folded(name) };
}

/** Returns whether anything changed. */
export async function setSuspended(
  transaction: DatabaseTransaction,
  id: string,
  isSuspended: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('organisations')
    .set({ suspended_at: isSuspended ? Date.now() : null })
    .where('id', '=', id)
    .where('suspended_at', isSuspended ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @throws ApiError `not_found` when there is no such organisation */
export async function nameOfOrganisation(database: Database, id: string): Promise<string> {
  const { name } = await database
    .selectFrom('organisations')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new ApiError('not_found', 'There is no such organisation.'));
  return name;
}

export class OrganisationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates an organisation with its first credits, for the command line, and returns its id. @throws ApiError `invalid_input`. */
  async create({ name, ownerEmail, credits }: NewOrganisation): Promise<string> {
    return transact(this.#database, async (transaction) => {
      const id = await insertOrganisation(transaction, name, ownerEmail);
      if (credits !== 0) {
        await grantCredits(transaction, id, credits, 'first credits');
      }
      await audit(transaction, COMMAND_LINE, id, 'organisation-created', name);
      return id;
    });
  }

  async find(id: string): Promise<Organisation | undefined> {
    return this.#organisations().where('id', '=', id).executeTakeFirst();
  }

  async list(): Promise<Organisation[]> {
    return this.#organisations().orderBy('created_at').orderBy('id').execute();
  }

  /**
   * A page of organisations, newest first, created before `after`.
   * @param search part of its name, of an owner's address or of a member's name, or an id
   */
  async page(
    after: { createdAt: number; id: string } | undefined,
    limit: number,
    search?: string,
  ): Promise<Organisation[]> {
    let query = this.#organisations().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
    if (search !== undefined) {
      const hasOwner = sql<boolean>`owner_email like ${`%${literal(search.toLowerCase())}%`} escape '!'`;
      query = query.where((row) =>
        row.or([
          nameContains('organisations', search),
          hasOwner,
          row('id', '=', search),
          row(
            'id',
            'in',
            row
              .selectFrom('memberships')
              .innerJoin('people', 'people.id', 'memberships.person_id')
              .select('organisation_id')
              .where(nameContains('people', search)),
          ),
        ]),
      );
    }
    if (after !== undefined) {
      query = query.where((row) => isBehind(row, '<', ['created_at', after.createdAt], ['id', after.id]));
    }
    return query.execute();
  }

  async count(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('organisations')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  #organisations() {
    return this.#database
      .selectFrom('organisations')
      .select([
        'id',
        'name',
        'owner_email as ownerEmail',
        'balance',
        'monthly_credits as monthlyCredits',
        'suspended_at as suspendedAt',
        'created_at as createdAt',
      ]);
  }
}
