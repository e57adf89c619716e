/**
 * The webhook outbox, and the log of deliveries. Events become deliveries in the same transaction as the change that they
 * report: none is early, none is lost.
 */

import type { ExpressionBuilder } from 'kysely';
import type { WebhookEvent } from '../contract/response-schema.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteSettled } from '../database/delete-expired.js';
import { isBehind } from '../database/keyset.js';
import { newRowId } from '../database/row-id.js';
import type { Schema } from '../database/schema.js';
import { boundDeliveries } from './delivery-bounds-store.js';
import { eventsOf } from './webhook-store.js';

/** Time that a claim keeps other processes from making the same delivery: longer than a call can take. */
const LEASE_MS = 30_000;

const RETENTION_MS = 30 * 86_400_000;

const MAX_OUTCOME_CHARACTERS = 200;

/** Maximum number of waiting deliveries that are counted: there may be millions, and the figures are read all the time. */
const MAX_COUNTED = 100_000;

/** Deliveries due first that a claim looks at. When all are of excluded webhooks, it looks at the webhooks instead. */
const DUE_FIRST = 200;

/** A delivery that no other process attempts before `leasedUntil`. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  organisationId: string;
  url: string;
  body: string;
  /** The valid secrets, newest first. */
  secrets: string[];
  /** Attempts before this one. */
  attempts: number;
  /** Unix milliseconds. */
  leasedUntil: number;
}

/** Webhooks and organisations whose deliveries are not claimed. */
interface Except {
  webhooks: readonly string[];
  organisations: readonly string[];
}

/** A delivery as people see it. Times are Unix milliseconds. */
interface DeliveryLine {
  id: string;
  event: WebhookEvent;
  attempts: number;
  /** Result of the last attempt, for people. Null: no attempt yet. */
  lastOutcome: string | null;
  deliveredAt: number | null;
  /** Null: delivered, or given up. */
  nextAttemptAt: number | null;
  createdAt: number;
}

/** Deliveries that wait for their first or next attempt: of those due first, as many as are counted. */
export interface WaitingDeliveries {
  /** At most 100,000. */
  waiting: number;
  /** Age of the oldest waiting delivery in seconds; 0 when none waits. */
  oldestSeconds: number;
  /** Seconds since the earliest unclaimed delivery fell due; 0 when none is due. */
  overdueSeconds: number;
}

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

export class DeliveryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Claims the delivery that has been due longest, except those of these webhooks and organisations; any that is due where
   * many of these are due before it. Undefined when none is due.
   */
  async claim(except: Except): Promise<ClaimedDelivery | undefined> {
    for (;;) {
      const now = Date.now();
      const id = (await this.#firstDue(now, except)) ?? (await this.#anyDue(now, except));
      if (id === undefined) {
        return undefined;
      }
      const due = await this.#find(id, now);
      if (due === undefined) {
        continue;
      }
      const { secret, previousSecret, previousUntil, dueAt, ...delivery } = due;
      const leasedUntil = Math.max(now + LEASE_MS, (dueAt ?? 0) + 1);
      const { numUpdatedRows } = await this.#database
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: leasedUntil })
        .where('id', '=', due.id)
        .where('next_attempt_at', '=', dueAt)
        .executeTakeFirst();
      // Another process may have been first.
      if (numUpdatedRows === 1n) {
        const before = previousSecret !== null && (previousUntil ?? 0) > now ? [previousSecret] : [];
        return { ...delivery, secrets: [secret, ...before], leasedUntil };
      }
    }
  }

  /** The delivery that has been due longest, if it is one of those due first. */
  async #firstDue(now: number, except: Except): Promise<string | undefined> {
    const first = this.#database
      .selectFrom('webhook_deliveries')
      .select(['id', 'webhook_id', 'next_attempt_at'])
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(DUE_FIRST);
    const due = await this.#database
      .selectFrom(first.as('due'))
      .innerJoin('webhooks', 'webhooks.id', 'due.webhook_id')
      .select('due.id')
      .where(isClaimable(except))
      .orderBy('due.next_attempt_at')
      .limit(1)
      .executeTakeFirst();
    return due?.id;
  }

  /** A delivery behind those due first. Looks once at each webhook: millions of one organisation's may be due before it. */
  async #anyDue(now: number, except: Except): Promise<string | undefined> {
    const behind = await this.#database
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .offset(DUE_FIRST)
      .limit(1)
      .executeTakeFirst();
    if (behind === undefined) {
      return undefined;
    }
    const first = this.#database
      .selectFrom('webhooks')
      .select((webhook) =>
        webhook
          .selectFrom('webhook_deliveries')
          .select('id')
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('next_attempt_at', '<=', now)
          .orderBy('next_attempt_at')
          .limit(1)
          .as('due'),
      )
      .where(isClaimable(except));
    const row = await this.#database
      .selectFrom(first.as('webhook'))
      .select('due')
      .where('due', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return row?.due ?? undefined;
  }

  /** Undefined when another process was first. */
  #find(id: string, now: number) {
    return this.#database
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .select(['delivery.id', 'delivery.body', 'delivery.attempts', 'delivery.next_attempt_at as dueAt'])
      .select(['webhooks.id as webhookId', 'webhooks.organisation_id as organisationId'])
      .select(['webhooks.url', 'webhooks.secret'])
      .select(['webhooks.previous_secret as previousSecret', 'webhooks.previous_secret_until as previousUntil'])
      .where('delivery.id', '=', id)
      .where('delivery.next_attempt_at', '<=', now)
      .executeTakeFirst();
  }

  /** Ends a claim after an attempt, unless the claim had expired: then another process has the delivery. */
  async settle(
    { id, leasedUntil, attempts }: ClaimedDelivery,
    outcome: { text: string; deliveredAt: number } | { text: string; nextAttemptAt: number | null },
  ): Promise<void> {
    await this.#database
      .updateTable('webhook_deliveries')
      .set({
        attempts: attempts + 1,
        last_outcome: [...outcome.text].slice(0, MAX_OUTCOME_CHARACTERS).join(''),
        ...('deliveredAt' in outcome
          ? { delivered_at: outcome.deliveredAt, next_attempt_at: null }
          : { next_attempt_at: outcome.nextAttemptAt }),
      })
      .where('id', '=', id)
      .where('next_attempt_at', '=', leasedUntil)
      .execute();
  }

  /** Releases a claim whose attempt was aborted. */
  async release({ id, leasedUntil }: ClaimedDelivery): Promise<void> {
    await this.#database
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: Date.now() })
      .where('id', '=', id)
      .where('next_attempt_at', '=', leasedUntil)
      .execute();
  }

  /** Queues a settled delivery again, as if it were new. False when it is still pending or does not exist. */
  async sendAgain(webhookId: string, id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook_deliveries')
      .set({ attempts: 0, next_attempt_at: Date.now(), delivered_at: null })
      .where('id', '=', id)
      .where('webhook_id', '=', webhookId)
      .where('next_attempt_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Deliveries of a webhook, newest first. */
  async page(webhookId: string, limit: number, after?: { createdAt: number; id: string }): Promise<DeliveryLine[]> {
    let query = this.#database
      .selectFrom('webhook_deliveries')
      .select(['id', 'event', 'attempts', 'last_outcome as lastOutcome', 'delivered_at as deliveredAt'])
      .select(['next_attempt_at as nextAttemptAt', 'created_at as createdAt'])
      .where('webhook_id', '=', webhookId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (after !== undefined) {
      query = query.where((row) => isBehind(row, '<', ['created_at', after.createdAt], ['id', after.id]));
    }
    return (await query.execute()).map(({ event, ...line }) => ({ ...line, event: event as WebhookEvent }));
  }

  async figures(now = Date.now()): Promise<WaitingDeliveries> {
    const first = this.#database
      .selectFrom('webhook_deliveries')
      .select(['created_at', 'next_attempt_at'])
      .where('next_attempt_at', 'is not', null)
      .orderBy('next_attempt_at')
      .limit(MAX_COUNTED);
    const { waiting, oldest, due } = await this.#database
      .selectFrom(first.as('delivery'))
      .select(({ fn }) => [
        fn.countAll<number>().as('waiting'),
        fn.min<number | null>('created_at').as('oldest'),
        fn.min<number | null>('next_attempt_at').as('due'),
      ])
      .executeTakeFirstOrThrow();
    const secondsSince = (time: number | null) => (time === null ? 0 : Math.max(0, now - time) / 1_000);
    return { waiting, oldestSeconds: secondsSince(oldest), overdueSeconds: secondsSince(due) };
  }

  /**
   * Deletes deliveries that were settled and created long before `time` (Unix milliseconds), and those of webhooks that have
   * too many.
   */
  async sweep(time: number): Promise<void> {
    await deleteSettled(this.#database, 'webhook_deliveries', time - RETENTION_MS);
    await boundDeliveries(this.#database, LEASE_MS);
  }
}

/** True for webhooks whose deliveries may be claimed. */
function isClaimable({ webhooks, organisations }: Except) {
  return (row: ExpressionBuilder<Schema, 'webhooks'>) =>
    row.and([
      ...(webhooks.length > 0 ? [row('webhooks.id', 'not in', webhooks)] : []),
      ...(organisations.length > 0 ? [row('webhooks.organisation_id', 'not in', organisations)] : []),
    ]);
}
