/** Bounds the deliveries that are stored for each webhook: an account can make millions a day, and its receivers may be slow. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import { LIMITS } from '../contract/limits.js';
import type { Database } from '../database/connection.js';
import { inSteps } from '../database/delete-expired.js';
import type { Schema } from '../database/schema.js';

const { waiting: MOST_WAITING, settled: MOST_SETTLED } = LIMITS.webhookDeliveries;

const GIVEN_UP = `${MOST_WAITING.toLocaleString('en')} later events waited.`;

/**
 * Gives up the oldest waiting deliveries of each webhook that has too many, and deletes its oldest settled ones. A few
 * hundred more than the limit may stay. @param leaseMs time for which a claim holds
 */
export async function boundDeliveries(database: Database, leaseMs: number): Promise<void> {
  for (const { id } of await database.selectFrom('webhooks').select('id').execute()) {
    await inSteps((limit) => deleteOldest(database, id, limit));
    await inSteps((limit) => giveUpOldest(database, id, limit, leaseMs));
    await nextTurn();
  }
}

/** @returns whether there may be more to delete */
async function deleteOldest(database: Database, webhookId: string, limit: number): Promise<boolean> {
  const settled = deliveriesOf(database, webhookId).where('next_attempt_at', 'is', null);
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
  const now = Date.now();
  // All but those that a process may be making, also since `now`: the claims of the next `leaseMs` end within two.
  const isWaiting = (row: ExpressionBuilder<Schema, 'webhook_deliveries'>) =>
    row.or([row('next_attempt_at', '<=', now), row('next_attempt_at', '>', now + 2 * leaseMs)]);
  const waiting = deliveriesOf(database, webhookId).where(isWaiting);
  if (!(await hasMoreThan(waiting, MOST_WAITING + limit))) {
    return false;
  }
  await database
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: null, last_outcome: GIVEN_UP })
    .where('id', 'in', await oldestOf(waiting, limit))
    .where(isWaiting)
    .execute();
  return true;
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
