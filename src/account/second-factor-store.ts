/** The stored second factor: a secret per person, and recovery codes. */

import type { Database } from '../database/connection.js';

export interface StoredFactor {
  /** Base32. */
  secret: string;
  /** Time step of the last accepted code. */
  usedStep: number;
}

export async function findSecondFactor(database: Database, personId: string): Promise<StoredFactor | undefined> {
  const row = await database
    .selectFrom('people')
    .select(['totp_secret as secret', 'totp_used_step as usedStep'])
    .where('id', '=', personId)
    .executeTakeFirst();
  return row?.secret ? { secret: row.secret, usedStep: row.usedStep ?? 0 } : undefined;
}

/**
 * Sets a factor if the person has none, or removes it with its recovery codes. @returns false when there already was
 * one
 */
export async function setSecondFactor(
  transaction: Database,
  personId: string,
  factor: StoredFactor | undefined,
): Promise<boolean> {
  let query = transaction
    .updateTable('people')
    .set({ totp_secret: factor?.secret ?? null, totp_used_step: factor?.usedStep ?? null })
    .where('id', '=', personId);
  if (factor !== undefined) {
    query = query.where('totp_secret', 'is', null);
  }
  const { numUpdatedRows } = await query.executeTakeFirst();
  await transaction.deleteFrom('recovery_codes').where('person_id', '=', personId).execute();
  return numUpdatedRows === 1n;
}

/** Marks a time step as used. False when this or a later one was used before. */
export async function useTimeStep(transaction: Database, personId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('people')
    .set({ totp_used_step: step })
    .where('id', '=', personId)
    .where('totp_used_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertRecoveryCodes(
  transaction: Database,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ person_id: personId, code_hash: hash })))
    .execute();
}

/** Deletes a recovery code. False when there is no such code. */
export async function useRecoveryCode(transaction: Database, personId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
