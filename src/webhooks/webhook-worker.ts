/** Delivers the events of the webhook outbox, with retries and back-off. */

import type { Log } from '../log.js';
import { Rounds } from '../rounds.js';
import type { AddressGuard } from './address-guard.js';
import { callWebhook } from './call-webhook.js';
import type { ClaimedDelivery, DeliveryStore } from './delivery-store.js';
import { signedHeaders } from './signature.js';

/** Delays after failed attempts: a receiver that is down for most of a day misses nothing. */
const RETRY_DELAYS_MS = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 50_400_000];

/** Polling interval. Nothing wakes this process when a retry falls due or another process inserts an event. */
const POLL_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 3_600_000;

/** Concurrent calls, each to a different webhook, so that a slow receiver delays no other. */
const MAX_CONCURRENT_CALLS = 3;

/** Concurrent calls for one organisation: a place is left for others, however slow its receivers are. */
const MAX_CALLS_OF_ONE = 2;

/** Organisations that are remembered as served. The number only bounds the query. */
const MAX_SERVED = 1_000;

/** Outcome of an attempt. `failed` is retried. */
export type AttemptOutcome = 'delivered' | 'failed' | 'given_up';

interface WebhookWorkerOptions {
  store: DeliveryStore;
  guard: AddressGuard;
  log: Log;
  onAttempt?: (outcome: AttemptOutcome) => void;
  /** Delays after failed attempts. Default: those of the contract. */
  retryDelaysMs?: readonly number[] | undefined;
}

export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #stopping = new AbortController();
  /** Calls in flight, by webhook. */
  readonly #calls = new Map<string, { organisationId: string; ended: Promise<void> }>();
  /** Organisations that had their turn. All others come first, so that a long outbox of one delays nobody else. */
  readonly #served = new Set<string>();
  readonly #claims: Rounds;
  readonly #sweeps: Rounds;

  constructor(options: WebhookWorkerOptions) {
    this.#options = options;
    const { store, log } = options;
    this.#claims = new Rounds({
      work: () => this.#startCalls(),
      everyMs: POLL_INTERVAL_MS,
      onFailure: (error) => log.error({ err: error }, 'webhooks: could not read the outbox'),
    });
    this.#sweeps = new Rounds({
      work: () => store.sweep(Date.now()),
      everyMs: SWEEP_INTERVAL_MS,
      onFailure: (error) => log.error({ err: error }, 'webhooks: could not delete old deliveries'),
    });
  }

  start(): void {
    void this.#sweeps.start();
    void this.#claims.start();
  }

  /** Makes due deliveries now. Call it after committing a new event. */
  wake(): void {
    this.#claims.runSoon();
  }

  /** Aborts calls in flight and releases their claims for other processes. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#claims.close(), this.#sweeps.close()]);
    await Promise.all(Array.from(this.#calls.values(), ({ ended }) => ended));
  }

  async #startCalls(): Promise<void> {
    while (this.#calls.size < MAX_CONCURRENT_CALLS && !this.#stopping.signal.aborted) {
      const delivery = await this.#claimInTurn();
      if (delivery === undefined) {
        return;
      }
      const { webhookId, organisationId } = delivery;
      const ended = this.#deliver(delivery)
        .catch((error: unknown) =>
          this.#options.log.error({ webhookId, err: error }, 'webhooks: could not record the outcome of a delivery'),
        )
        .finally(() => {
          this.#calls.delete(webhookId);
          this.wake();
        });
      this.#calls.set(webhookId, { organisationId, ended });
    }
  }

  async #claimInTurn(): Promise<ClaimedDelivery | undefined> {
    const { store } = this.#options;
    const webhooks = [...this.#calls.keys()];
    const busy = this.#busyOrganisations();
    let delivery = await store.claim({ webhooks, organisations: [...this.#served, ...busy] });
    if (delivery === undefined || this.#served.size >= MAX_SERVED) {
      this.#served.clear();
    }
    delivery ??= await store.claim({ webhooks, organisations: busy });
    if (delivery !== undefined) {
      this.#served.add(delivery.organisationId);
    }
    return delivery;
  }

  /** Organisations that have as many calls in flight as one may. */
  #busyOrganisations(): string[] {
    const organisations = Array.from(this.#calls.values(), ({ organisationId }) => organisationId);
    return [...new Set(organisations)].filter(
      (id) => organisations.filter((other) => other === id).length >= MAX_CALLS_OF_ONE,
    );
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { store, log, onAttempt, retryDelaysMs = RETRY_DELAYS_MS } = this.#options;
    const { id, webhookId, attempts } = delivery;
    const outcome = await this.#call(delivery);
    if (outcome === undefined) {
      await store.release(delivery);
    } else if (outcome.isDelivered) {
      onAttempt?.('delivered');
      await store.settle(delivery, { text: outcome.text, deliveredAt: Date.now() });
    } else {
      const pauseMs = retryDelaysMs[attempts];
      const givenUp = pauseMs === undefined;
      onAttempt?.(givenUp ? 'given_up' : 'failed');
      log.info({ deliveryId: id, webhookId, outcome: outcome.text, givenUp }, 'webhooks: delivery failed');
      await store.settle(delivery, { text: outcome.text, nextAttemptAt: givenUp ? null : Date.now() + pauseMs });
      if (!givenUp && pauseMs < POLL_INTERVAL_MS * 2) {
        setTimeout(() => this.wake(), pauseMs).unref();
      }
    }
  }

  /** The result of a call. Undefined when it was aborted by `close`. */
  async #call({
    id,
    url,
    body,
    secrets,
  }: ClaimedDelivery): Promise<{ isDelivered: boolean; text: string } | undefined> {
    const timestamp = Math.floor(Date.now() / 1_000);
    try {
      const headers = signedHeaders({ id: `msg_${id}`, timestamp, body }, secrets);
      const status = await callWebhook({ url, headers, body }, this.#options.guard, this.#stopping.signal);
      return { isDelivered: status >= 200 && status < 300, text: `HTTP ${status}` };
    } catch (error) {
      return this.#stopping.signal.aborted ? undefined : { isDelivered: false, text: reasonOf(error) };
    }
  }
}

/** Sentences for people about what the network says most. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection broke.',
  ENOTFOUND: 'There is no server of this name.',
  ENODATA: 'There is no server of this name.',
  ESERVFAIL: 'The name server of this name did not answer.',
  ETIMEOUT: 'The name server of this name did not answer.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is that of another name.',
};

/** An error of a connection to several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: (Error & { code?: string })[] };
  return REASONS[code ?? errors?.[0]?.code ?? ''] ?? (message || errors?.[0]?.message || code || 'unknown');
}
