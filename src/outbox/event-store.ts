/** Posts events: what an organisation's webhooks are told becomes rows in the transaction that changes it. None is early, none is lost. */

import { WEBHOOK_EVENTS, type WebhookEvent } from '../contract/response-schema.js';
import type { DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { insertion, statement } from '../database/statement.js';
import { wakeOutbox } from './wake.js';

interface NewEvent {
  organisationId: string;
  type: WebhookEvent;
  data: () => object;
}

const selectWebhooks = statement((database, { organisations }: { organisations: readonly string[] }) =>
  database
    .selectFrom('webhooks')
    .select(['id', 'organisation_id as organisationId', 'events'])
    .where('organisation_id', 'in', organisations),
);

const insertDeliveries = insertion('webhook_deliveries');

/** Inserts a delivery of each event for each of its organisation's webhooks that subscribes to it. */
export async function postEvents(transaction: DatabaseTransaction, events: readonly NewEvent[]): Promise<void> {
  const organisations = [...new Set(events.map(({ organisationId }) => organisationId))];
  const { rows: webhooks } = await selectWebhooks(transaction, { organisations });
  if (webhooks.length === 0) {
    return;
  }
  const now = Date.now();
  const deliveries = events.flatMap(({ organisationId, type, data }) => {
    const wanted = webhooks.filter(
      (webhook) => webhook.organisationId === organisationId && eventsOf(webhook.events).includes(type),
    );
    const body =
      wanted.length > 0 ? JSON.stringify({ type, timestamp: new Date(now).toISOString(), data: data() }) : '';
    return wanted.map(({ id }) => ({
      id: newRowId(),
      webhook_id: id,
      event: type,
      body,
      attempts: 0,
      next_attempt_at: now,
      created_at: now,
    }));
  });
  await insertDeliveries(transaction, deliveries);
  if (deliveries.length > 0) {
    wakeOutbox(transaction);
  }
}

const selectBalances = statement((database, { organisations }: { organisations: readonly string[] }) =>
  database
    .selectFrom('organisations')
    .select(['id as organisationId', 'balance', 'low_balance as threshold'])
    .where('id', 'in', organisations),
);

/** A balance that has just fallen below the organisation's threshold. */
interface LowBalance {
  organisationId: string;
  balance: number;
  threshold: number;
}

/**
 * Posts `credits.low` of each organisation whose balance this transaction's charge has just brought below its threshold, and
 * calls `onLow` for it.
 */
export async function postLowCredits(
  transaction: DatabaseTransaction,
  charges: readonly { organisationId: string; credits: number }[],
  onLow: (transaction: DatabaseTransaction, low: LowBalance) => Promise<void>,
): Promise<void> {
  const organisations = charges.map(({ organisationId }) => organisationId);
  const balances = new Map(
    (await selectBalances(transaction, { organisations })).rows.map((row) => [row.organisationId, row]),
  );
  const all = charges.flatMap(({ organisationId, credits }): LowBalance[] => {
    const { balance, threshold } = balances.get(organisationId) ?? { balance: 0, threshold: null };
    const isCrossed = threshold !== null && balance < threshold && balance + credits >= threshold;
    return isCrossed ? [{ organisationId, balance, threshold }] : [];
  });
  if (all.length === 0) {
    return;
  }
  await postEvents(
    transaction,
    all.map((low): NewEvent => ({ organisationId: low.organisationId, type: 'credits.low', data: () => low })),
  );
  for (const low of all) {
    await onLow(transaction, low);
  }
}

/** Splits a row's comma-separated events. */
export function eventsOf(list: string): WebhookEvent[] {
  const events = list.split(',');
  return WEBHOOK_EVENTS.filter((event) => events.includes(event));
}
