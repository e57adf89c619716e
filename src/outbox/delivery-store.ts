/** The rows of webhook deliveries: claims, attempts, the pauses of webhooks that fail, and the log that people see. */

import { ApiError } from '../contract/errors.js';
import { DAY_MS } from '../contract/limits.js';
import { sweepTime } from '../database/clock.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { deleteSettled } from '../database/delete-expired.js';
import { transact } from '../database/transaction.js';
import { type Answer, CALL_TIMEOUT_MS } from './call-webhook.js';
import { boundDeliveries, isSettled, isWaiting } from './delivery-bounds-store.js';
import { type DeliveryLine, type PageEnd, pageOfDeliveries } from './delivery-log-store.js';
import { type Attempt, leaseMs, pauseMs } from './outbox.js';
import * as rows from './outbox-rows-store.js';
import { type OnPaused, tellOfPause } from './pause-notice-store.js';
import { validSecrets } from './signature.js';
import { wakeOutbox } from './wake.js';

const LEASE_MS = leaseMs(CALL_TIMEOUT_MS);

const RETENTION_MS = 30 * DAY_MS;

const MAX_OUTCOME_CHARACTERS = 200;

/** `paused_until` of a webhook whose receiver is gone: the last moment of JavaScript's dates. */
export const UNTIL_RESUMED = 8_640_000_000_000_000;

/** A claimed delivery with what its call needs. */
export interface ClaimedDelivery extends rows.Claimed {
  webhookId: string;
  url: string;
  body: string;
  /** The valid secrets, newest first. */
  secrets: string[];
  /** Failed calls of the webhook in a row, before this one. */
  failures: number;
  /** Set by a call that is answered. */
  answer?: Answer;
}

export interface DeliveryFigures extends rows.WaitingRows {
  /** Seconds since the earliest unclaimed delivery fell due, of webhooks that do not keep failing; 0 when none is due. */
  overdueSeconds: number;
}

export class DeliveryStore {
  readonly #database: Database;
  readonly #onPaused: OnPaused | undefined;

  constructor(database: Database, onPaused?: OnPaused) {
    this.#database = database;
    this.#onPaused = onPaused;
  }

  /** Deliveries that are due, of webhooks that are not paused. Where many are: the first of each webhook. */
  async due(): Promise<rows.Due[]> {
    const now = Date.now();
    const first = this.#database
      .selectFrom('webhook_deliveries')
      .select(['id', 'webhook_id', 'next_attempt_at'])
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(rows.DUE_FIRST);
    let found = await this.#database
      .selectFrom(first.as('due'))
      .innerJoin('webhooks', 'webhooks.id', 'due.webhook_id')
      .select(['due.id', 'webhooks.id as receiver', 'organisation_id as organisationId', 'failures'])
      .select(['paused_until as pausedUntil', 'stopped_at as stoppedAt'])
      .orderBy('next_attempt_at')
      .execute();
    if (found.length === rows.DUE_FIRST) {
      found = await this.#firstOfEach(now);
    }
    return found
      .filter(({ pausedUntil, stoppedAt }) => (pausedUntil ?? 0) <= now && stoppedAt === null)
      .map(({ id, organisationId, receiver, failures }) => ({ id, organisationId, receiver, isFailing: failures > 0 }));
  }

  /** The first of each webhook that is not paused; those of webhooks that fail come last. */
  #firstOfEach(now: number) {
    const first = this.#firstDue(now).where((webhook) =>
      webhook.or([webhook('paused_until', 'is', null), webhook('paused_until', '<=', now)]),
    );
    return this.#database
      .selectFrom(first.as('webhook'))
      .innerJoin('webhook_deliveries as delivery', 'delivery.id', 'webhook.due')
      .select(['delivery.id', 'receiver', 'organisationId', 'failures', 'pausedUntil', 'stoppedAt'])
      .orderBy((webhook) => webhook('failures', '>', 0))
      .orderBy('delivery.next_attempt_at')
      .limit(rows.MAX_RECEIVERS)
      .execute();
  }

  /**
   * Webhooks that no person paused, each with the delivery that has been due longest. Looks once at each webhook: millions
   * of one organisation's deliveries may be due before those of another.
   */
  #firstDue(now: number) {
    return this.#database
      .selectFrom('webhooks')
      .select(['id as receiver', 'organisation_id as organisationId', 'failures'])
      .select(['paused_until as pausedUntil', 'stopped_at as stoppedAt'])
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
      .where('stopped_at', 'is', null);
  }

  /** Claims a delivery. Undefined when it is no longer due, or its webhook was paused meanwhile. */
  async claim({ id }: { id: string }, lease: number): Promise<ClaimedDelivery | undefined> {
    const now = Date.now();
    const due = await this.#database
      .selectFrom('webhook_deliveries as delivery')
      .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
      .select(['delivery.id', 'delivery.body', 'delivery.attempts', 'delivery.next_attempt_at as dueAt'])
      .select(['webhooks.id as webhookId', 'url', 'failures', 'paused_until', 'secret'])
      .select(['previous_secret', 'previous_secret_until'])
      .where('delivery.id', '=', id)
      .where('delivery.next_attempt_at', '<=', now)
      .where('stopped_at', 'is', null)
      .executeTakeFirst();
    if (due === undefined || (due.paused_until ?? 0) > now) {
      return undefined;
    }
    const leasedUntil = await rows.lease(this.#database, 'webhook_deliveries', due, lease);
    const { body, attempts, webhookId, url, failures } = due;
    return leasedUntil === undefined
      ? undefined
      : { id, body, attempts, webhookId, url, failures, secrets: validSecrets(due, now), leasedUntil };
  }

  /**
   * Ends a claim after an attempt. Pauses the webhook after some failures in a row, and ends its pause after a success. Does nothing
   * when the claim was lost: then another process has the delivery, and counts its own attempt.
   */
  async settle(claim: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const pause = await transact(this.#database, async (transaction) => {
      if (!(await endClaim(transaction, claim, attempt))) {
        return undefined;
      }
      if (attempt.outcome !== 'delivered') {
        return countFailure(transaction, claim);
      }
      if (claim.failures > 0) {
        await forgetFailures(transaction, claim.webhookId);
      }
      return undefined;
    });
    if (pause !== undefined && this.#onPaused !== undefined) {
      await tellOfPause(this.#database, claim.webhookId, this.#onPaused, pause.isGone);
    }
  }

  async release(claim: rows.Claimed): Promise<void> {
    await rows.release(this.#database, 'webhook_deliveries', claim);
  }

  /** Records a test call in the log of deliveries. A success ends the webhook's pause. */
  async recordTest(
    webhookId: string,
    { id, body }: { id: string; body: string },
    { isDelivered, text, answer }: { isDelivered: boolean; text: string; answer: string | null },
  ): Promise<void> {
    const now = Date.now();
    await this.#database
      .insertInto('webhook_deliveries')
      .values({
        id,
        webhook_id: webhookId,
        event: 'test',
        body,
        attempts: 1,
        next_attempt_at: null,
        delivered_at: isDelivered ? now : null,
        last_outcome: rows.shortened(text, MAX_OUTCOME_CHARACTERS),
        last_answer: answer,
        created_at: now,
      })
      .execute();
    if (isDelivered) {
      await forgetFailures(this.#database, webhookId);
      wakeOutbox(this.#database);
    }
  }

  /** Makes a settled delivery due as if it were new. False when it is still pending. @throws ApiError `not_found` */
  sendAgain(webhookId: string, id: string): Promise<boolean> {
    return this.#change(webhookId, id, isSettled, { attempts: 0, next_attempt_at: Date.now(), delivered_at: null });
  }

  /** Makes a waiting delivery due now. False when it does not wait: it is sent already. @throws ApiError `not_found` */
  retryNow(webhookId: string, id: string): Promise<boolean> {
    return this.#change(webhookId, id, isWaiting(LEASE_MS), { next_attempt_at: Date.now() });
  }

  /** Gives up a waiting delivery. False when it does not wait. @throws ApiError `not_found` */
  giveUp(webhookId: string, id: string): Promise<boolean> {
    const changes = { next_attempt_at: null, last_outcome: 'A person gave it up.' };
    return this.#change(webhookId, id, isWaiting(LEASE_MS), changes);
  }

  /** Changes a delivery that has this state. One that is made due by hand ends the pause of its webhook. */
  async #change(
    webhookId: string,
    id: string,
    hasState: ReturnType<typeof isWaiting>,
    changes: { attempts?: number; next_attempt_at: number | null; delivered_at?: null; last_outcome?: string },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('webhook_deliveries')
      .set(changes)
      .where('id', '=', id)
      .where('webhook_id', '=', webhookId)
      .where(hasState)
      .executeTakeFirst();
    if (numUpdatedRows === 1n && changes.next_attempt_at !== null) {
      await this.#database.updateTable('webhooks').set({ paused_until: null }).where('id', '=', webhookId).execute();
      wakeOutbox(this.#database);
    }
    if (numUpdatedRows === 0n && !(await this.#exists(webhookId, id))) {
      throw new ApiError('not_found', 'There is no such event, or it was deleted.');
    }
    return numUpdatedRows === 1n;
  }

  async #exists(webhookId: string, id: string): Promise<boolean> {
    const deliveries = this.#database.selectFrom('webhook_deliveries').select('id').where('id', '=', id);
    return (await deliveries.where('webhook_id', '=', webhookId).executeTakeFirst()) !== undefined;
  }

  /** Deliveries of a webhook, newest first. */
  page(webhookId: string, limit: number, after?: PageEnd): Promise<DeliveryLine[]> {
    return pageOfDeliveries(this.#database, webhookId, { limit, after, leaseMs: LEASE_MS });
  }

  /** Number of webhooks that are paused because calls keep failing. */
  async paused(): Promise<number> {
    const { paused } = await this.#database
      .selectFrom('webhooks')
      .select(({ fn }) => fn.countAll<number>().as('paused'))
      .where('paused_until', '>', Date.now())
      .executeTakeFirstOrThrow();
    return paused;
  }

  async figures(now = Date.now()): Promise<DeliveryFigures> {
    // Deliveries to a webhook that keeps failing wait for its receiver.
    const { dueAt } = await this.#database
      .selectFrom(this.#firstDue(now).where('paused_until', 'is', null).as('webhook'))
      .innerJoin('webhook_deliveries as delivery', 'delivery.id', 'webhook.due')
      .select(({ fn }) => fn.min<number | null>('delivery.next_attempt_at').as('dueAt'))
      .executeTakeFirstOrThrow();
    const waiting = await rows.waitingRows(this.#database, 'webhook_deliveries', now);
    return { ...waiting, overdueSeconds: rows.secondsSince(dueAt, now) };
  }

  /**
   * Deletes deliveries that were settled and created long before `time` (Unix milliseconds), bounds those of each webhook, and
   * recalls others.
   */
  async sweep(time?: number): Promise<void> {
    await rows.recall(this.#database, 'webhook_deliveries');
    await this.#database
      .updateTable('webhooks')
      .set({ paused_until: null })
      .where('paused_until', '>', Date.now() + rows.FARTHEST_ATTEMPT_MS)
      .where('paused_until', '<', UNTIL_RESUMED)
      .execute();
    const now = time ?? (await sweepTime(this.#database));
    await deleteSettled(this.#database, 'webhook_deliveries', now - RETENTION_MS);
    await boundDeliveries(this.#database, LEASE_MS, now);
  }
}

/** Writes the outcome of an attempt. False when the claim was lost. */
async function endClaim(
  transaction: DatabaseTransaction,
  claim: ClaimedDelivery,
  { outcome, text, nextAttemptAt }: Attempt,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_deliveries')
    .set({
      attempts: claim.attempts + 1,
      last_outcome: rows.shortened(text, MAX_OUTCOME_CHARACTERS),
      last_answer: claim.answer?.text ?? null,
      next_attempt_at: nextAttemptAt && Math.max(nextAttemptAt, Date.now() + (claim.answer?.retryAfterMs ?? 0)),
      delivered_at: outcome === 'delivered' ? Date.now() : null,
    })
    .where('id', '=', claim.id)
    .where('next_attempt_at', '=', claim.leasedUntil)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Counts a failed call, unless another call, a test or a new URL has changed the number since it began. The receiver says how
 * long it wants no call, and may say with 410 that it wants none any more (Standard Webhooks). Returns the pause that begins.
 */
async function countFailure(
  transaction: DatabaseTransaction,
  { webhookId, failures, answer }: ClaimedDelivery,
): Promise<{ isGone: boolean } | undefined> {
  const isGone = answer?.status === 410;
  const pause = pauseMs(failures + 1);
  const waitMs = Math.max(pause, answer?.retryAfterMs ?? 0);
  const pausedUntil = isGone ? UNTIL_RESUMED : waitMs === 0 ? null : Date.now() + waitMs;
  const { numUpdatedRows } = await transaction
    .updateTable('webhooks')
    .set({ failures: failures + 1, paused_until: pausedUntil })
    .where('id', '=', webhookId)
    .where('failures', '=', failures)
    .executeTakeFirst();
  return numUpdatedRows === 1n && (isGone || pause > 0) ? { isGone } : undefined;
}

async function forgetFailures(database: Database, webhookId: string): Promise<void> {
  await database.updateTable('webhooks').set({ failures: 0, paused_until: null }).where('id', '=', webhookId).execute();
}
