/** Bounds the deliveries that are stored for each webhook: an account can make millions a day, and its receivers may be slow. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import { DAY_MS, LIMITS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { inSteps } from '../database/delete-expired.js';
import type { Schema } from '../database/schema.js';
import { transact } from '../database/transaction.js';
import { grouped } from '../platform/counted.js';

const { waiting: MOST_WAITING, settled: MOST_SETTLED } = LIMITS.webhookDeliveries;

/** Time for which deliveries wait for a webhook that is paused: about as long as their retries take. */
const MAX_PAUSED_MS = DAY_MS;

const GIVEN_UP_PAUSED = 'The webhook was paused for a day.';

type Delivery = ExpressionBuilder<Schema, 'webhook_deliveries'>;

/** A condition: the delivery was made or given up, so that no attempt follows. */
export const isSettled = (row: Delivery) => row('next_attempt_at', 'is', null);

/**
 * A condition: the delivery waits for an attempt, and no process has a claim to it. A claim moves `next_attempt_at` to its own
 * end, at most `leaseMs` ahead: what is due within that time may be claimed, and what is due later waits for a retry.
 */
export function isWaiting(leaseMs: number) {
  const now = Date.now();
  return (row: Delivery) => row.or([row('next_attempt_at', '<=', now), row('next_attempt_at', '>', now + leaseMs)]);
}

/**
 * Gives up the oldest waiting deliveries of each webhook that has too many or has been paused for long, and deletes its
 * oldest settled ones. A few hundred more than the limit may stay.
 * @param leaseMs time for which a claim holds
 * @param time by which a pause is long (Unix milliseconds)
 */
export async function boundDeliveries(database: Database, leaseMs: number, time: number): Promise<void> {
  const webhooks = await database
    .selectFrom('webhooks')
    .select(['id', 'paused_until as pausedUntil', 'stopped_at as stoppedAt'])
    .execute();
  for (const { id, pausedUntil, stoppedAt } of webhooks) {
    await inSteps((limit) => deleteOldest(database, id, limit));
    await inSteps((limit) => giveUpOldest(database, id, limit, leaseMs));
    if ((pausedUntil ?? 0) > Date.now() || stoppedAt !== null) {
      await inSteps((limit) => giveUpPaused(database, id, limit, time));
    }
    await nextTurn();
  }
}

/** @returns whether there may be more to delete */
async function deleteOldest(database: Database, webhookId: string, limit: number): Promise<boolean> {
  const settled = deliveriesOf(database, webhookId).where(isSettled);
  if (!(await hasMoreThan(settled, MOST_SETTLED + limit))) {
    return false;
  }
  await database
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', await oldestOf(settled, limit))
    .execute();
  return true;
}

/** @returns whether there may be more to give up */
async function giveUpOldest(database: Database, webhookId: string, limit: number, leaseMs: number): Promise<boolean> {
  // Also those that are claimed since now: the claims of the next `leaseMs` end within two.
  const isLeft = isWaiting(2 * leaseMs);
  const waiting = deliveriesOf(database, webhookId).where(isLeft);
  if (!(await hasMoreThan(waiting, MOST_WAITING + limit))) {
    return false;
  }
  await database
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: null, last_outcome: `${grouped(MOST_WAITING)} later events waited.` })
    .where('id', 'in', await oldestOf(waiting, limit))
    .where(isLeft)
    .execute();
  return true;
}

/** Gives up what fell due long ago and met pauses since. @returns whether there may be more to give up */
async function giveUpPaused(database: Database, webhookId: string, limit: number, time: number): Promise<boolean> {
  const isOverdue = (row: Delivery) => row('next_attempt_at', '<=', time - MAX_PAUSED_MS);
  const ids = await oldestOf(deliveriesOf(database, webhookId).where(isOverdue), limit);
  if (ids.length > 0) {
    await database
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: null, last_outcome: GIVEN_UP_PAUSED })
      .where('id', 'in', ids)
      .where(isOverdue)
      .execute();
  }
  return ids.length === limit;
}

type Deliveries = ReturnType<typeof deliveriesOf>;

function deliveriesOf(database: Database, webhookId: string) {
  return database.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
}

/** Reads an index alone. */
async function hasMoreThan(deliveries: Deliveries, most: number): Promise<boolean> {
  return (await deliveries.select('next_attempt_at').offset(most).limit(1).executeTakeFirst()) !== undefined;
}

async function oldestOf(deliveries: Deliveries, limit: number): Promise<string[]> {
  const rows = await deliveries.select('id').orderBy('created_at').orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a webhook's deliveries in steps. The foreign key would delete all of them in the statement that deletes the
 * webhook.
 */
export async function deleteDeliveries(database: Database, webhookId: string): Promise<void> {
  await inSteps((limit) =>
    transact(database, async (transaction) => {
      const rows = await transaction
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId)
        .limit(limit)
        .execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) {
        await transaction.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
      }
      return ids.length === limit;
    }),
  );
}
