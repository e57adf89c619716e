/** People of a besieged service. */

import { insertPerson } from '../../src/accounts/people/person-store.js';
import { SessionStore } from '../../src/accounts/people/session-store.js';
import { transact } from '../../src/database/transaction.js';
import { Visitor } from '../support/visitor.js';
import type { Siege } from './bystander.js';

/** A signed-in member of an organisation, without the second that a sign-up takes. */
export async function member(siege: Siege, organisationId: string, number: number): Promise<Visitor> {
  const { database } = siege.admin;
  const person = { email: `p${number}@example.org`, name: `P ${number}`, passwordHash: 'none' };
  const personId = await transact(database, (transaction) => insertPerson(transaction, person));
  const row = { organisation_id: organisationId, person_id: personId, role: 'member' as const, created_at: Date.now() };
  await database.insertInto('memberships').values(row).execute();
  const key = crypto.randomUUID();
  await new SessionStore(database).start(key, { personId, address: '127.0.0.1', browser: 'test' }, 3_600_000);
  const visitor = new Visitor(siege);
  visitor.cookies.set('qrpress-session', key);
  return visitor;
}
