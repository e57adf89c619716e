/** The webhook outbox, and the log of deliveries. */

import type { WebhookEvent } from '../contract/webhook-events.js';
import type { Database } from '../database/connection.js';
import { isBehind } from '../database/keyset.js';

/** Time that a claim keeps other processes from making the same delivery: longer than a call can take. */
const LEASE_MS = 30_000;

/** Time that a settled delivery is kept in the log. */
const RETENTION_MS = 30 * 86_400_000;

const MAX_OUTCOME_CHARACTERS = 200;

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

/** A delivery as people see it. Times are Unix milliseconds. */
export interface DeliveryLine {
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

/** Deliveries that wait for their first or next attempt. */
export interface WaitingDeliveries {
  waiting: number;
  /** Age of the oldest waiting delivery in seconds; 0 when none waits. */
  oldestSeconds: number;
  /** Seconds since the earliest unclaimed delivery fell due; 0 when none is due. */
  overdueSeconds: number;
}

export class DeliveryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Claims the delivery that has been due longest, except those of these webhooks and organisations. Undefined when none is
   * due.
   */
  async claim(except: {
    webhooks: readonly string[];
    organisations: readonly string[];
  }): Promise<ClaimedDelivery | undefined> {
    for (;;) {
      const now = Date.now();
      let query = this.#database
        .selectFrom('webhook_deliveries as delivery')
        .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
        .select(['delivery.id', 'delivery.body', 'delivery.attempts', 'delivery.next_attempt_at as dueAt'])
        .select(['webhooks.id as webhookId', 'webhooks.organisation_id as organisationId'])
        .select(['webhooks.url', 'webhooks.secret'])
        .select(['webhooks.previous_secret as previousSecret', 'webhooks.previous_secret_until as previousUntil'])
        .where('delivery.next_attempt_at', '<=', now)
        .orderBy('delivery.next_attempt_at')
        .limit(1);
      if (except.webhooks.length > 0) {
        query = query.where('delivery.webhook_id', 'not in', except.webhooks);
      }
      if (except.organisations.length > 0) {
        query = query.where('webhooks.organisation_id', 'not in', except.organisations);
      }
      const due = await query.executeTakeFirst();
      if (due === undefined) {
        return undefined;
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
    const { waiting, oldest, due } = await this.#database
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => [
        fn.countAll<number>().as('waiting'),
        fn.min<number | null>('created_at').as('oldest'),
        fn.min<number | null>('next_attempt_at').as('due'),
      ])
      .where('next_attempt_at', 'is not', null)
      .executeTakeFirstOrThrow();
    const secondsSince = (time: number | null) => (time === null ? 0 : Math.max(0, now - time) / 1_000);
    return { waiting, oldestSeconds: secondsSince(oldest), overdueSeconds: secondsSince(due) };
  }

  /** Deletes deliveries that were settled and created long before `time` (Unix milliseconds). */
  async sweep(time: number): Promise<void> {
    await this.#database
      .deleteFrom('webhook_deliveries')
      .where('next_attempt_at', 'is', null)
      .where('created_at', '<=', time - RETENTION_MS)
      .execute();
  }
}
