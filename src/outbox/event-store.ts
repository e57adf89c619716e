/** Posts events: what an organisation's webhooks are told becomes rows in the transaction that changes it. None is early, none is lost. */

import { WEBHOOK_EVENTS, type WebhookEvent } from '../contract/response-schema.js';
import type { DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';

/** Inserts a delivery of the event for each of the organisation's webhooks that subscribes to it. */
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

/** Posts `credits.low` when a charge of `credits` has just brought the balance below the organisation's threshold. */
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

/** Splits a row's comma-separated events. */
export function eventsOf(list: string): WebhookEvent[] {
  const events = list.split(',');
  return WEBHOOK_EVENTS.filter((event) => events.includes(event));
}
