/** The log of a webhook's deliveries, as people see it. */

import type { WebhookEvent } from '../contract/response-schema.js';
import type { Database } from '../database/connection.js';
import { isBehind } from '../database/keyset.js';

/** A delivery as people see it. Times are Unix milliseconds. */
export interface DeliveryLine {
  id: string;
  event: WebhookEvent | 'test';
  attempts: number;
  /** Result of the last attempt, for people. Null: no attempt yet. */
  lastOutcome: string | null;
  /** The JSON that was sent. */
  body: string;
  /** First characters of the body that the last attempt was answered with. Null: there was no answer. */
  lastAnswer: string | null;
  deliveredAt: number | null;
  /** Null: delivered, or given up. */
  nextAttemptAt: number | null;
  /** True when it waits for an attempt, and no process may be making it. */
  isWaiting: boolean;
  createdAt: number;
}

/** The last delivery of a page. */
export interface PageEnd {
  createdAt: number;
  id: string;
}

/** Deliveries of a webhook, newest first. @param leaseMs time within which all claims end */
export async function pageOfDeliveries(
  database: Database,
  webhookId: string,
  { limit, after, leaseMs }: { limit: number; after: PageEnd | undefined; leaseMs: number },
): Promise<DeliveryLine[]> {
  let query = database
    .selectFrom('webhook_deliveries')
    .select(['id', 'event', 'body', 'attempts', 'last_outcome as lastOutcome', 'last_answer as lastAnswer'])
    .select(['delivered_at as deliveredAt', 'next_attempt_at as nextAttemptAt', 'created_at as createdAt'])
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after !== undefined) {
    query = query.where((row) => isBehind(row, '<', ['created_at', after.createdAt], ['id', after.id]));
  }
  const now = Date.now();
  return (await query.execute()).map(({ event, ...line }) => ({
    ...line,
    event: event as DeliveryLine['event'],
    isWaiting: line.nextAttemptAt !== null && (line.nextAttemptAt <= now || line.nextAttemptAt > now + leaseMs),
  }));
}
