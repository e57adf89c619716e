/** An organisation's webhooks: their URLs, events and secrets. */

import type { AnyActor } from './actor.js';
import { audit } from './audit-store.js';
import { nameOfOrganisation } from './organisations/organisation-store.js';
import { MANAGERS, requireRole } from './organisations/membership-store.js';
import { ApiError } from '../contract/errors.js';
import { DAY_MS, LIMITS } from '../contract/limits.js';
import type { WebhookEvent } from '../contract/response-schema.js';
import type { Database, DatabaseTransaction } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { transact } from '../database/transaction.js';
import type { AddressGuard } from '../outbox/address-guard.js';
import { deleteDeliveries } from '../outbox/delivery-bounds-store.js';
import { DeliveryStore, UNTIL_RESUMED } from '../outbox/delivery-store.js';
import { eventsOf } from '../outbox/event-store.js';
import { newSecret, validSecrets } from '../outbox/signature.js';
import { type TestOutcome, testWebhook } from '../outbox/webhook-kind.js';
import { wakeOutbox } from '../outbox/wake.js';
import { invalidUrl, requireWebhookUrl } from './webhook-url.js';

/** Time for which a replaced secret stays valid. */
const PREVIOUS_SECRET_VALID_MS = DAY_MS;

export interface Webhook {
  id: string;
  organisationId: string;
  url: string;
  events: WebhookEvent[];
  /** Until when the replaced secret is valid. Null: it is not. */
  previousSecretUntil: number | null;
  /** Failed calls since the last one that was answered with 2xx. */
  failures: number;
  /** Until when its deliveries wait because calls keep failing. Null: it is not paused. */
  pausedUntil: number | null;
  /** True when the receiver wants no calls any more: it is paused until a person resumes it, or a test succeeds. */
  isGone: boolean;
  /** When a person paused it. Null: nobody did, or it was resumed. */
  stoppedAt: number | null;
  /** Unix milliseconds. */
  createdAt: number;
}

interface NewWebhook {
  organisationId: string;
  url: string;
  events: readonly WebhookEvent[];
}

/** A new webhook with its secret, which is not shown again. */
interface CreatedWebhook {
  webhookId: string;
  secret: string;
}

export class WebhookStore {
  readonly #database: Database;
  readonly #guard: AddressGuard;

  constructor(database: Database, guard: AddressGuard) {
    this.#database = database;
    this.#guard = guard;
  }

  /**
   * Creates a webhook, for somebody who may manage the organisation at that moment.
   * @throws ApiError `invalid_input` when the URL must not be called; AccountError `forbidden`, `not_found`
   */
  async create(actor: AnyActor, webhook: NewWebhook): Promise<CreatedWebhook> {
    const url = await requireWebhookUrl(webhook.url, this.#guard);
    return transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, webhook.organisationId, MANAGERS);
      const created = await insertWebhook(transaction, { ...webhook, url });
      await audit(transaction, actor, webhook.organisationId, 'webhook-created', shortened(url));
      return created;
    });
  }

  /**
   * Sets URL and events. What waits goes to the new URL, as if no call had failed before.
   * @throws ApiError `invalid_input` when the URL must not be called; `not_found`; AccountError `forbidden`
   */
  async change(actor: AnyActor, webhookId: string, changed: Pick<NewWebhook, 'url' | 'events'>): Promise<void> {
    const url = await requireWebhookUrl(changed.url, this.#guard);
    await this.#manage(actor, webhookId, async (transaction, before) => {
      await transaction
        .updateTable('webhooks')
        .set({
          url,
          events: listOf(changed.events),
          ...(url === before.url ? {} : { failures: 0, paused_until: null }),
        })
        .where('id', '=', webhookId)
        .execute();
      wakeOutbox(transaction);
      await audit(transaction, actor, before.organisation_id, 'webhook-changed', shortened(url));
    });
  }

  /** Pauses a webhook until a person resumes it. Resuming ends a pause after failures too. @throws as `rotate` */
  async pause(actor: AnyActor, webhookId: string, isPaused: boolean): Promise<void> {
    await this.#manage(actor, webhookId, async (transaction, webhook) => {
      const { url, stopped_at: stoppedAt, paused_until: pausedUntil, organisation_id: organisationId } = webhook;
      if (isPaused ? stoppedAt !== null : stoppedAt === null && pausedUntil !== UNTIL_RESUMED) {
        return;
      }
      await transaction
        .updateTable('webhooks')
        .set(isPaused ? { stopped_at: Date.now() } : { stopped_at: null, paused_until: null })
        .where('id', '=', webhookId)
        .execute();
      wakeOutbox(transaction);
      await audit(transaction, actor, organisationId, isPaused ? 'webhook-paused' : 'webhook-resumed', shortened(url));
    });
  }

  /** Sets a new secret. The old one stays valid for another day. @throws ApiError `not_found`; AccountError */
  async rotate(actor: AnyActor, webhookId: string): Promise<string> {
    const secret = newSecret();
    await this.#manage(
      actor,
      webhookId,
      async (transaction, { url, secret: before, organisation_id: organisationId }) => {
        await transaction
          .updateTable('webhooks')
          .set({ secret, previous_secret: before, previous_secret_until: Date.now() + PREVIOUS_SECRET_VALID_MS })
          .where('id', '=', webhookId)
          .execute();
        await audit(transaction, actor, organisationId, 'webhook-secret-changed', shortened(url));
      },
    );
    return secret;
  }

  /** Deletes a webhook with its log of deliveries. @throws ApiError `not_found`; AccountError */
  async remove(actor: AnyActor, webhookId: string): Promise<void> {
    const { url, organisation_id: organisationId } = await this.#manage(
      actor,
      webhookId,
      async (_transaction, webhook) => webhook,
    );
    await deleteDeliveries(this.#database, webhookId);
    // The role is not looked at again: a refusal now would leave the webhook without its deliveries.
    await transact(this.#database, async (transaction) => {
      await deleteWebhook(transaction, webhookId);
      await audit(transaction, actor, organisationId, 'webhook-deleted', shortened(url));
    });
  }

  /** Runs `work` on a webhook, for somebody who may manage its organisation at that moment. */
  async #manage<T>(
    actor: AnyActor,
    webhookId: string,
    work: (transaction: DatabaseTransaction, webhook: WebhookRow) => Promise<T>,
  ): Promise<T> {
    const { organisation_id: organisationId } = await requireWebhook(this.#database, webhookId);
    return transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      return work(transaction, await requireWebhook(transaction, webhookId));
    });
  }

  /** Webhooks of an organisation, or of all organisations, oldest first. */
  async list(organisationId?: string): Promise<Webhook[]> {
    let query = this.#database.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id');
    if (organisationId !== undefined) {
      query = query.where('organisation_id', '=', organisationId);
    }
    const now = Date.now();
    return (await query.execute()).map((row) => ({
      id: row.id,
      organisationId: row.organisation_id,
      url: row.url,
      events: eventsOf(row.events),
      previousSecretUntil: (row.previous_secret_until ?? 0) > now ? row.previous_secret_until : null,
      failures: row.failures,
      pausedUntil: (row.paused_until ?? 0) > now ? row.paused_until : null,
      isGone: row.paused_until === UNTIL_RESUMED,
      stoppedAt: row.stopped_at,
      createdAt: row.created_at,
    }));
  }

  /** Calls a webhook once with the event `test`. @throws ApiError `not_found` */
  async test(webhookId: string): Promise<TestOutcome & { isDelivered: boolean }> {
    const webhook = await requireWebhook(this.#database, webhookId);
    const called = { ...webhook, secrets: validSecrets(webhook, Date.now()) };
    return testWebhook(new DeliveryStore(this.#database), this.#guard, called);
  }

  /** The threshold of `credits.low`, and the balance. Null: no event. */
  lowBalance(organisationId: string): Promise<{ lowBalance: number | null; balance: number }> {
    return this.#database
      .selectFrom('organisations')
      .select(['low_balance as lowBalance', 'balance'])
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow();
  }

  /** @throws AccountError `forbidden` */
  async setLowBalance(actor: AnyActor, organisationId: string, lowBalance: number | null): Promise<void> {
    await transact(this.#database, async (transaction) => {
      await requireRole(transaction, actor, organisationId, MANAGERS);
      await transaction
        .updateTable('organisations')
        .set({ low_balance: lowBalance })
        .where('id', '=', organisationId)
        .execute();
      await audit(transaction, actor, organisationId, 'low-balance-set', String(lowBalance ?? 'none'));
    });
  }
}

async function insertWebhook(
  transaction: DatabaseTransaction,
  { organisationId, url, events }: NewWebhook,
): Promise<CreatedWebhook> {
  await nameOfOrganisation(transaction, organisationId);
  const { webhooks } = await transaction
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('webhooks'))
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow();
  if (webhooks >= LIMITS.webhooks) {
    throw invalidUrl(`An organisation has at most ${LIMITS.webhooks} webhooks.`);
  }
  const [webhookId, secret] = [newRowId(), newSecret()];
  await transaction
    .insertInto('webhooks')
    .values({
      id: webhookId,
      organisation_id: organisationId,
      url,
      events: listOf(events),
      secret,
      created_at: Date.now(),
    })
    .execute();
  return { webhookId, secret };
}

type WebhookRow = Awaited<ReturnType<typeof requireWebhook>>;

function requireWebhook(database: Database, webhookId: string) {
  const webhooks = database.selectFrom('webhooks').selectAll().where('id', '=', webhookId);
  return webhooks.executeTakeFirstOrThrow(() => notFound());
}

/** The row's form of events. */
function listOf(events: readonly WebhookEvent[]): string {
  return [...new Set(events)].join(',');
}

/** Cut to what the audit log has room for. */
function shortened(url: string): string {
  return url.slice(0, 200);
}

function notFound(): ApiError {
  return new ApiError('not_found', 'There is no such webhook.');
}

/** @throws ApiError `not_found` */
async function deleteWebhook(transaction: DatabaseTransaction, webhookId: string): Promise<void> {
  const { numDeletedRows } = await transaction.deleteFrom('webhooks').where('id', '=', webhookId).executeTakeFirst();
  if (numDeletedRows === 0n) {
    throw notFound();
  }
}
