/** People: one account per address, created once its owner has proved that the address is theirs. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { folded } from '../../database/folded.js';
import { newRowId } from '../../database/row-id.js';
import { AccountError } from '../account-error.js';

export interface Person {
  id: string;
  email: string;
  name: string;
  isOperator: boolean;
}

export interface PersonWithPassword extends Person {
  /** Null: the person has no password and signs in through the identity provider. */
  passwordHash: string | null;
}

interface NewPerson {
  email: string;
  name: string;
  passwordHash: string | null;
  isOperator?: boolean;
  /** The first organisation that the person creates gets welcome credits. */
  hasWelcome?: boolean;
}

/** Inserts a person and returns their id. The address must not have an account. */
export async function insertPerson(transaction: DatabaseTransaction, person: NewPerson): Promise<string> {
  const id = newRowId();
  await transaction
    .insertInto('people')
    .values({
      id,
      email: person.email,
      name: person.name,
      folded_name: folded(person.name),
      password_hash: person.passwordHash,
      is_operator: person.isOperator === true ? 1 : 0,
      has_welcome: person.hasWelcome === true ? 1 : 0,
      created_at: Date.now(),
    })
    .execute();
  return id;
}

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
    }
  );
}

/** True once, for a person whose first organisation gets welcome credits. */
export async function takeWelcome(transaction: DatabaseTransaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set({ has_welcome: 0 })
    .where('id', '=', id)
    .where('has_welcome', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** A person's name. Empty when there is no such person. */
export async function nameOf(database: Database, id: string): Promise<string> {
  const person = await database.selectFrom('people').select('name').where('id', '=', id).executeTakeFirst();
  return person?.name ?? '';
}

/** All operators, sorted by name. */
export function listOperators(database: Database): Promise<{ name: string; email: string }[]> {
  return database
    .selectFrom('people')
    .select(['name', 'email'])
    .where('is_operator', '=', 1)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/**
 * Sets a password, ends every session but one, and voids the person's unused links: somebody who knew the old password may
 * have asked for them. @param exceptKeyHash the session to keep
 */
export async function setPassword(
  transaction: DatabaseTransaction,
  personId: string,
  passwordHash: string,
  exceptKeyHash = '',
): Promise<void> {
  await transaction.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
  await endSessions(transaction, personId, exceptKeyHash);
  await voidLinksOf(transaction, personId);
}

/** Ends a person's sessions. @param exceptKeyHash the session to keep */
export async function endSessions(
  transaction: DatabaseTransaction,
  personId: string,
  exceptKeyHash = '',
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('key_hash', '!=', exceptKeyHash)
    .execute();
}

/** Voids the unused links of a person. */
export async function voidLinksOf(transaction: DatabaseTransaction, personId: string): Promise<void> {
  await transaction
    .deleteFrom('one_time_links')
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute();
}

/** True when this is the person's password hash. Locks it until the transaction ends. */
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

/** Locks a person's row until the transaction ends. */
export async function lockPerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  await transaction
    .updateTable('people')
    .set((column) => ({ name: column.ref('name') }))
    .where('id', '=', personId)
    .execute();
}

/**
 * The person with a mail address, whose row is locked until the transaction ends: nobody else gets what is made for them.
 * Undefined: nobody has the address.
 */
export async function lockPersonAt(
  transaction: DatabaseTransaction,
  email: string,
): Promise<PersonWithPassword | undefined> {
  const known = await findPerson(transaction, 'email', email);
  if (known === undefined) {
    return undefined;
  }
  await lockPerson(transaction, known.id);
  // The address may have changed until the lock.
  const person = await findPerson(transaction, 'id', known.id);
  return person?.email === email ? person : undefined;
}

/** The same. @throws AccountError `not_found` */
export async function requirePersonAt(transaction: DatabaseTransaction, email: string): Promise<PersonWithPassword> {
  const person = await lockPersonAt(transaction, email);
  if (person === undefined) {
    throw new AccountError('not_found', `Nobody has an account with the address ${email}.`);
  }
  return person;
}

export async function setName(transaction: DatabaseTransaction, personId: string, name: string): Promise<void> {
  await transaction
    .updateTable('people')
    .set({ name, folded_name: folded(name) })
    .where('id', '=', personId)
    .execute();
}

/**
 * Sets a confirmed address, and voids the person's unused links, which the old address was mailed. Fails as a duplicate when
 * another account has it.
 */
export async function setAddress(transaction: DatabaseTransaction, personId: string, email: string): Promise<void> {
  await transaction.updateTable('people').set({ email }).where('id', '=', personId).execute();
  await voidLinksOf(transaction, personId);
}

/** Deletes a person without memberships, with everything that signs them in. The audit log keeps their id. */
export async function deletePerson(transaction: DatabaseTransaction, personId: string): Promise<void> {
  const invitations = transaction.deleteFrom('invitations');
  await invitations.where('invited_by', '=', personId).execute();
  // Open ones await whoever has the address.
  await invitations
    .where('used_at', 'is not', null)
    .where('email', '=', (people) => people.selectFrom('people').select('email').where('id', '=', personId))
    .execute();
  for (const table of ['sessions', 'identities', 'recovery_codes', 'one_time_links'] as const) {
    await transaction.deleteFrom(table).where('person_id', '=', personId).execute();
  }
  await transaction.deleteFrom('people').where('id', '=', personId).execute();
}

export async function setOperator(
  transaction: DatabaseTransaction,
  personId: string,
  isOperator: boolean,
): Promise<void> {
  await transaction
    .updateTable('people')
    .set({ is_operator: isOperator ? 1 : 0 })
    .where('id', '=', personId)
    .execute();
}
