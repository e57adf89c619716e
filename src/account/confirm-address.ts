/** What happens when a person has shown that a mailbox is theirs. */

import { grantCredits } from '../credits/ledger.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { markVerified } from './person-store.js';

/** Section 2.10 of the specification: what a new account receives once its owner's address is confirmed. */
const WELCOME_CREDITS = 500;

/** Marks the address as confirmed, and brings the credits of a new account; both once, however often it is shown. */
export async function confirmAddress(transaction: DatabaseTransaction, personId: string): Promise<void> {
  await markVerified(transaction, personId);
  await grantWelcome(transaction, personId);
}

/** Credits for the organisation that the person signed up with. One that was founded later by a known person gets none. */
async function grantWelcome(transaction: DatabaseTransaction, personId: string): Promise<void> {
  for (const organisationId of await ownedWithoutWelcome(transaction, personId)) {
    await transaction
      .insertInto('welcome_grants')
      .values({ organisation_id: organisationId, person_id: personId, created_at: Date.now() })
      .execute();
    await grantCredits(transaction, organisationId, WELCOME_CREDITS, 'address confirmed', { personId });
  }
}

async function ownedWithoutWelcome(database: Database, personId: string): Promise<string[]> {
  const welcomed = await database
    .selectFrom('welcome_grants')
    .select('person_id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  if (welcomed !== undefined) {
    return [];
  }
  const rows = await database
    .selectFrom('memberships')
    .leftJoin('welcome_grants', 'welcome_grants.organisation_id', 'memberships.organisation_id')
    .innerJoin('organisations', 'organisations.id', 'memberships.organisation_id')
    .select('memberships.organisation_id as organisationId')
    .where('memberships.person_id', '=', personId)
    .where('memberships.role', '=', 'owner')
    .where('welcome_grants.organisation_id', 'is', null)
    .orderBy('organisations.created_at')
    .limit(1)
    .execute();
  return rows.map(({ organisationId }) => organisationId);
}
