/** Tells once a day at most that a webhook is paused, whichever process paused it. */

import { DAY_MS } from '../contract/limits.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { transact } from '../database/transaction.js';

/** Called after a webhook was paused, at most once a day for each, in the transaction that notes that it was called. */
export type OnPaused = (
  transaction: DatabaseTransaction,
  webhook: { webhookId: string; organisationId: string; url: string; isGone: boolean },
) => Promise<void>;

/** Time after which owners are told again that the same webhook is paused. */
const TELL_EVERY_MS = DAY_MS;

/**
 * The guarded UPDATE lets one of several processes tell.
 * @param isGone whether the receiver wants no calls any more, which is said each time: a person resumes such a webhook
 */
export async function tellOfPause(
  database: Database,
  webhookId: string,
  onPaused: OnPaused,
  isGone: boolean,
): Promise<void> {
  const now = Date.now();
  await transact(database, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('webhooks')
      .set({ pause_told_at: now })
      .where('id', '=', webhookId)
      .where((webhook) =>
        webhook.or([
          webhook('pause_told_at', 'is', null),
          webhook('pause_told_at', '<', isGone ? now : now - TELL_EVERY_MS),
        ]),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 1n) {
      const { url, organisationId } = await transaction
        .selectFrom('webhooks')
        .select(['url', 'organisation_id as organisationId'])
        .where('id', '=', webhookId)
        .executeTakeFirstOrThrow();
      await onPaused(transaction, { webhookId, organisationId, url, isGone });
    }
  });
}
