/** Events become deliveries in the very transaction that they tell of: never before, and none is lost. */

import type { WebhookEvent } from '../contract/webhook-events.js';
import type { DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { eventsOf } from './webhook-store.js';

/** Puts an event into the outbox, for each webhook of the organisation that wants it. */
export async function postEvent(
  transaction: DatabaseTransaction,
  organisationId: string,
  event: WebhookEvent,
  data: () => object,
): Promise<void> {
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('organisation_id', '=', organisationId)
    .execute();
  const wanted = webhooks.filter(({ events }) => eventsOf(events).includes(event));
  if (wanted.length === 0) {
    return;
  }
  const now = Date.now();
  const body = JSON.stringify({ type: event, timestamp: new Date(now).toISOString(), data: data() });
  await transaction
    .insertInto('webhook_deliveries')
    .values(
      wanted.map(({ id }) => ({
        id: newRowId(),
        webhook_id: id,
        event,
        body,
        attempts: 0,
        next_attempt_at: now,
        delivered_at: null,
        last_outcome: null,
        created_at: now,
      })),
    )
    .execute();
}

/** Tells of a balance that a charge of `credits` has just brought below the one that the organisation set. */
export async function postLowCredits(
  transaction: DatabaseTransaction,
  organisationId: string,
  credits: number,
): Promise<void> {
  const { balance, threshold } = await transaction
    .selectFrom('organisations')
    .select(['balance', 'low_balance as threshold'])
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  if (threshold !== null && balance < threshold && balance + credits >= threshold) {
    await postEvent(transaction, organisationId, 'credits.low', () => ({ organisationId, balance, threshold }));
  }
}
