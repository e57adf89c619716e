/** Looks again at who makes a job, in the transaction that makes it: keys are revoked, and members leave, while a body arrives. */

import { ApiError } from '../contract/errors.js';
import type { Origin } from '../credits/ledger.js';
import type { DatabaseTransaction } from '../database/connection.js';

interface Payer {
  organisationId: string;
  origin: Origin;
}

/** Tells for each payer whether its key still works, and its person is still a member. */
export async function allowedPayers(
  transaction: DatabaseTransaction,
  payers: readonly Payer[],
): Promise<(payer: Payer) => boolean> {
  const keys = await workingKeys(transaction, present(payers.map(({ origin }) => origin.keyId)));
  const members = await membersAmong(transaction, present(payers.map(({ origin }) => origin.personId)));
  return ({ organisationId, origin: { keyId, personId } }) =>
    (keyId === undefined || keys.has(keyId)) &&
    (personId === undefined || members.has(`${organisationId} ${personId}`));
}

export function notAllowedAnyMore(): ApiError {
  const message = 'The API key was revoked, or the membership ended, while the job was received.';
  return new ApiError('invalid_api_key', message, {}, { 'WWW-Authenticate': 'Bearer' });
}

async function workingKeys(transaction: DatabaseTransaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) {
    return new Set();
  }
  const rows = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Organisation and person of each membership. */
async function membersAmong(transaction: DatabaseTransaction, personIds: readonly string[]): Promise<Set<string>> {
  if (personIds.length === 0) {
    return new Set();
  }
  const rows = await transaction
    .selectFrom('memberships')
    .select(['organisation_id', 'person_id'])
    .where('person_id', 'in', personIds)
    .execute();
  return new Set(rows.map((row) => `${row.organisation_id} ${row.person_id}`));
}

function present(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
