/** Memberships: the people in each organisation and their roles. */

import type { Database, DatabaseTransaction } from '../../database/connection.js';
import type { Role } from '../../database/schema.js';
import { AccountError } from '../account-error.js';
import type { AnyActor } from '../actor.js';

/** An organisation as its members see it. */
export interface Membership {
  organisationId: string;
  organisationName: string;
  role: Role;
  /** Since when it makes no jobs. Null: not suspended. */
  suspendedAt: number | null;
}

export interface Member {
  personId: string;
  name: string;
  email: string;
  role: Role;
  /** Unix milliseconds. */
  joinedAt: number;
}

/** Every role, the highest first. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'member'];

/** Roles that manage keys and all members except owners. */
export const MANAGERS: readonly Role[] = ['owner', 'admin'];

/** True when a person with the role `own` may give `role` to others. Only owners make owners. */
export function mayGive(own: Role, role: Role): boolean {
  return own === 'owner' || (own === 'admin' && role !== 'owner');
}

export async function insertMembership(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await transaction
    .insertInto('memberships')
    .values({ organisation_id: organisationId, person_id: personId, role, created_at: Date.now() })
    .execute();
}

export async function setRole(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
  role: Role,
): Promise<void> {
  await transaction
    .updateTable('memberships')
    .set({ role })
    .where('organisation_id', '=', organisationId)
    .where('person_id', '=', personId)
    .execute();
}

export async function deleteMembership(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
): Promise<void> {
  await transaction
    .deleteFrom('memberships')
    .where('organisation_id', '=', organisationId)
    .where('person_id', '=', personId)
    .execute();
}

/** A person's role. Undefined when they are not a member. */
export async function roleOf(database: Database, organisationId: string, personId: string): Promise<Role | undefined> {
  const row = await database
    .selectFrom('memberships')
    .select('role')
    .where('organisation_id', '=', organisationId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.role;
}

/**
 * Locks an organisation's members, so that concurrent changes wait for each other: two owners who leave at once must
 * not both see the other stay.
 * @returns false when there is no such organisation
 */
export async function lockMembers(transaction: DatabaseTransaction, organisationId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('organisations')
    .set((column) => ({ name: column.ref('name') }))
    .where('id', '=', organisationId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Locks the members and returns the actor's role, which then cannot change before the transaction ends. A role read
 * earlier may have changed. The command line has the rights of an owner.
 * @throws AccountError `not_found` when the actor is not a member, `forbidden` when their role is not in `roles`
 */
export async function requireRole(
  transaction: DatabaseTransaction,
  { personId }: AnyActor,
  organisationId: string,
  roles: readonly Role[],
): Promise<Role> {
  await lockMembers(transaction, organisationId);
  const own = personId === null ? 'owner' : await roleOf(transaction, organisationId, personId);
  if (own === undefined) {
    throw new AccountError('not_found', 'There is no such organisation.');
  }
  if (!roles.includes(own)) {
    throw new AccountError('forbidden', `Your role, ${own}, does not allow this.`);
  }
  return own;
}

/** True when another person is an owner too. The caller has locked the members. */
export async function hasOtherOwner(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('memberships')
    .select('person_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'owner')
    .where('person_id', '!=', personId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** @throws AccountError `conflict` when the organisation has no other owner. The caller has locked the members. */
export async function requireOtherOwner(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
): Promise<void> {
  if (!(await hasOtherOwner(transaction, organisationId, personId))) {
    throw new AccountError('conflict', 'The last owner can’t leave. Transfer ownership first.');
  }
}

/** An organisation's owners, the longest-standing first. */
export async function ownersOf(
  transaction: DatabaseTransaction,
  organisationId: string,
): Promise<{ personId: string; email: string }[]> {
  return transaction
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['people.id as personId', 'people.email'])
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'owner')
    .orderBy('memberships.created_at')
    .orderBy('memberships.person_id')
    .execute();
}

/** Updates the address for mail to the owner: that of the longest-standing owner. */
export async function updateOwnerEmail(transaction: DatabaseTransaction, organisationId: string): Promise<void> {
  const [owner] = await ownersOf(transaction, organisationId);
  if (owner !== undefined) {
    await transaction
      .updateTable('organisations')
      .set({ owner_email: owner.email })
      .where('id', '=', organisationId)
      .execute();
  }
}

/** Removes a person's address from an organisation that has no other member to be mailed. */
export async function forgetOwner(
  transaction: DatabaseTransaction,
  organisationId: string,
  personId: string,
): Promise<void> {
  await transaction
    .updateTable('organisations')
    .set({ owner_email: '' })
    .where('id', '=', organisationId)
    .where('owner_email', '=', (people) => people.selectFrom('people').select('email').where('id', '=', personId))
    .execute();
}

/** A person's organisations, sorted by name. */
export async function membershipsOf(database: Database, personId: string): Promise<Membership[]> {
  return database
    .selectFrom('memberships')
    .innerJoin('organisations', 'organisations.id', 'memberships.organisation_id')
    .select(['organisations.id as organisationId', 'organisations.name as organisationName', 'role'])
    .select('organisations.suspended_at as suspendedAt')
    .where('person_id', '=', personId)
    .orderBy('organisations.name')
    .orderBy('organisations.id')
    .execute();
}

export async function memberCount(database: Database, organisationId: string): Promise<number> {
  const { count } = await database
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow();
  return count;
}

export class MembershipStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An organisation's members, in order of joining. */
  async members(organisationId: string): Promise<Member[]> {
    return this.#database
      .selectFrom('memberships')
      .innerJoin('people', 'people.id', 'memberships.person_id')
      .select(['people.id as personId', 'people.name', 'people.email', 'role', 'memberships.created_at as joinedAt'])
      .where('organisation_id', '=', organisationId)
      .orderBy('memberships.created_at')
      .orderBy('people.id')
      .execute();
  }

  /** The organisations with other members whose last owner this person is. */
  async lastOwnerOf(personId: string): Promise<{ id: string; name: string }[]> {
    return this.#database
      .selectFrom('memberships as own')
      .innerJoin('organisations', 'organisations.id', 'own.organisation_id')
      .select(['organisations.id', 'organisations.name'])
      .where('own.person_id', '=', personId)
      .where('own.role', '=', 'owner')
      .where((own) => {
        const others = own
          .selectFrom('memberships as other')
          .select('other.person_id')
          .whereRef('other.organisation_id', '=', 'own.organisation_id')
          .where('other.person_id', '!=', personId);
        return own.and([own.exists(others), own.not(own.exists(others.where('other.role', '=', 'owner')))]);
      })
      .orderBy('organisations.name')
      .execute();
  }

  /** The credits of the organisations that have no other member than this person. */
  async creditsHeldAlone(personId: string): Promise<number> {
    const { credits } = await this.#database
      .selectFrom('memberships as own')
      .innerJoin('organisations', 'organisations.id', 'own.organisation_id')
      .select(({ fn }) => fn.sum<number | null>('organisations.balance').as('credits'))
      .where('own.person_id', '=', personId)
      .where((own) =>
        own.not(
          own.exists(
            own
              .selectFrom('memberships as other')
              .select('other.person_id')
              .whereRef('other.organisation_id', '=', 'own.organisation_id')
              .where('other.person_id', '!=', personId),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    return credits ?? 0;
  }
}
