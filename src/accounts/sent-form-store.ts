/** Forms that must take effect only once. The page gives each form an id. */

import { DAY_MS } from '../contract/limits.js';
import type { DatabaseTransaction } from '../database/connection.js';
import { isDuplicate } from '../database/transaction.js';
import { AccountError } from './account-error.js';
import { tokenHash } from './secret-token.js';

/** Time that an id is kept: longer than anybody waits for a response. */
const RETENTION_MS = DAY_MS;

/**
 * True when a person sends a form for the first time. The form's work runs in the caller's transaction; a concurrent
 * duplicate waits until that ends.
 * @throws AccountError `conflict` for a form without an id
 */
export async function isFirstSending(
  transaction: DatabaseTransaction,
  personId: string,
  formId: string,
): Promise<boolean> {
  if (formId === '') {
    throw new AccountError('conflict', 'The form is incomplete. Go back, reload the page, and send it again.');
  }
  try {
    await transaction
      .insertInto('sent_forms')
      .values({
        id_hash: tokenHash(`${personId}\n${formId}`),
        expires_at: Date.now() + RETENTION_MS,
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
