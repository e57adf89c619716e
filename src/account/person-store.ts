/** People: one account for each address, made once its holder has shown that it is theirs. */

import type { Database, DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';

export interface Person {
  id: string;
  email: string;
  name: string;
  isOperator: boolean;
  /** Unix milliseconds. */
  createdAt: number;
}

/** A person with what signs them in. */
export interface PersonWithPassword extends Person {
  passwordHash: string;
}

export interface NewPerson {
  email: string;
  name: string;
  passwordHash: string;
  isOperator?: boolean;
}

/** Inserts a person and returns their id; the address has no account yet. */
export async function insertPerson(transaction: DatabaseTransaction, person: NewPerson): Promise<string> {
  const id = newRowId();
  await transaction
    .insertInto('people')
    .values({
      id,
      email: person.email,
      name: person.name,
      password_hash: person.passwordHash,
      is_operator: person.isOperator === true ? 1 : 0,
      created_at: Date.now(),
    })
    .execute();
  return id;
}

/** The person with an address or an id. */
export async function findPerson(
  database: Database,
  by: 'id' | 'email',
  value: string,
): Promise<PersonWithPassword | undefined> {
  const row = await database.selectFrom('people').selectAll().where(by, '=', value).executeTakeFirst();
  return (
    row && {
      id: row.id,
      email: row.email,
      name: row.name,
      passwordHash: row.password_hash,
      isOperator: row.is_operator === 1,
      createdAt: row.created_at,
    }
  );
}

/** Sets a password, ends every session but one, and voids what was mailed to set another. @param exceptKeyHash the session that goes on */
export async function setPassword(
  transaction: DatabaseTransaction,
  personId: string,
  passwordHash: string,
  exceptKeyHash = '',
): Promise<void> {
  await transaction.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
  await transaction
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('key_hash', '!=', exceptKeyHash)
    .execute();
  await transaction
    .deleteFrom('one_time_links')
    .where('purpose', '=', 'reset')
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute();
}

/** Whether a person has that password; if so, it stays until the transaction ends. */
export async function lockWithPassword(
  transaction: DatabaseTransaction,
  personId: string,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set((column) => ({ password_hash: column.ref('password_hash') }))
    .where('id', '=', personId)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
