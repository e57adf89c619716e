/** Delivers what is in the outbox of webhooks, again and again with growing pauses where it fails. */

import type { Log } from '../log.js';
import type { AddressGuard } from './address-guard.js';
import { callWebhook } from './call-webhook.js';
import type { ClaimedDelivery, DeliveryStore } from './delivery-store.js';
import { signedHeaders } from './signature.js';

/** Pauses after failed attempts: a receiver that is away for most of a day misses nothing. */
const RETRY_DELAYS_MS = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 50_400_000];

/** Retries fall due, and other processes put events in, without anybody waking this one. */
const LOOK_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

/**
 * Calls under way at once, each of another webhook: a slow receiver holds up nobody else. Names are resolved on libuv's
 * four threads, which files need as well.
 */
const CALLS_AT_ONCE = 3;

/** What became of an attempt: `failed` is tried again. */
export type AttemptOutcome = 'delivered' | 'failed' | 'given_up';

export interface WebhookWorkerOptions {
  store: DeliveryStore;
  guard: AddressGuard;
  log: Log;
  /** Called after each attempt. */
  onAttempt?: (outcome: AttemptOutcome) => void;
  /** Pauses after failed attempts; those of the contract when absent. */
  retryDelaysMs?: readonly number[] | undefined;
}

export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #stopping = new AbortController();
  /** Webhooks that are being called. */
  readonly #calls = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #filling: Promise<void> | undefined;
  /** Something was put in while the calls were filled up. */
  #again = false;

  constructor(options: WebhookWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, log } = this.#options;
    const sweep = () =>
      void store.sweep(Date.now()).catch((error: unknown) => log.error({ err: error }, 'webhooks: not swept'));
    this.#timers.push(setInterval(() => this.wake(), LOOK_EVERY_MS).unref());
    this.#timers.push(setInterval(sweep, SWEEP_EVERY_MS).unref());
    sweep();
    this.wake();
  }

  /** Looks at once: to be called when an event was put into the outbox, and is committed. */
  wake(): void {
    if (this.#stopping.signal.aborted) {
      return;
    }
    if (this.#filling !== undefined) {
      this.#again = true;
      return;
    }
    this.#filling = this.#fill()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'webhooks: the outbox cannot be read'))
      .finally(() => {
        this.#filling = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Cuts calls off, which others make again. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#timers.forEach(clearInterval);
    await this.#filling;
    await Promise.all(this.#calls.values());
  }

  async #fill(): Promise<void> {
    while (this.#calls.size < CALLS_AT_ONCE && !this.#stopping.signal.aborted) {
      const delivery = await this.#options.store.claim([...this.#calls.keys()]);
      if (delivery === undefined) {
        return;
      }
      const { webhookId } = delivery;
      const call = this.#deliver(delivery)
        .catch((error: unknown) => this.#options.log.error({ webhookId, err: error }, 'webhooks: not settled'))
        .finally(() => {
          this.#calls.delete(webhookId);
          this.wake();
        });
      this.#calls.set(webhookId, call);
    }
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
      log.info({ deliveryId: id, webhookId, outcome: outcome.text, givenUp }, 'webhooks: not delivered');
      await store.settle(delivery, { text: outcome.text, nextAttemptAt: givenUp ? null : Date.now() + pauseMs });
      if (!givenUp && pauseMs < LOOK_EVERY_MS * 2) {
        setTimeout(() => this.wake(), pauseMs).unref();
      }
    }
  }

  /** The result of a call; undefined when it was cut off because all stops. */
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
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is that of another name.',
};

/** Errors of a connection to several addresses say nothing themselves. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: (Error & { code?: string })[] };
  return REASONS[code ?? errors?.[0]?.code ?? ''] ?? (message || errors?.[0]?.message || code || 'unknown');
}
