/** Forms whose second sending must do nothing, each with an id that its page gave it. */

import { createHash } from 'node:crypto';
import type { DatabaseTransaction } from '../database/connection.js';
import { isDuplicate } from '../database/transaction.js';
import { AccountError } from './account-error.js';

/** Time for which a form is remembered: longer than anybody waits for its answer. */
const REMEMBERED_MS = 86_400_000;

/**
 * True where a person's form is sent for the first time; the caller's transaction does its work. A sending at the same
 * time waits for the other's end. @throws AccountError `conflict` for a form without an id
 */
export async function isFirstSending(
  transaction: DatabaseTransaction,
  personId: string,
  formId: string,
): Promise<boolean> {
  if (formId === '') {
    throw new AccountError('conflict', 'The form is not whole. Go back, reload the page, and send it again.');
  }
  try {
    await transaction
      .insertInto('sent_forms')
      .values({
        id_hash: createHash('sha256').update(`${personId}\n${formId}`).digest('hex'),
        expires_at: Date.now() + REMEMBERED_MS,
      })
      .execute();
    return true;
  } catch (error) {
    if (isDuplicate(error)) {
      return false;
    }
    throw error;
  }
}
