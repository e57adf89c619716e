/** Delivers what is in the outbox, again and again with growing pauses where it fails. */

import type { Log } from '../log.js';
import { type Delivery, RefusedMailError } from './delivery.js';
import type { ClaimedMail, Mail, MailStore } from './mail-store.js';

/** Pauses after failed attempts: a server that is away over a weekend misses nothing. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 4 * 3_600_000, ...Array(12).fill(6 * 3_600_000)];

/** Retries fall due, and other processes put mails in, without anybody waking this one. */
const LOOK_EVERY_MS = 5_000;

export interface OutboxWorkerOptions {
  store: MailStore;
  delivery: Delivery;
  log: Log;
  /** Called when a mail was delivered. */
  onDelivered?: (mail: Mail) => void;
  /** Called when an attempt failed. */
  onFailed?: () => void;
  /** Pauses after failed attempts; about three days in all when absent. */
  retryDelaysMs?: readonly number[];
}

export class OutboxWorker {
  readonly #options: OutboxWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** Something was put in while a round was under way. */
  #again = false;
  #closed = false;

  constructor(options: OutboxWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_EVERY_MS).unref();
    this.wake();
  }

  /** Looks at once: to be called when something was put into the outbox, and is committed. */
  wake(): void {
    if (this.#closed) {
      return;
    }
    if (this.#round !== undefined) {
      this.#again = true;
      return;
    }
    this.#round = this.#deliverAll()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'mail: the outbox cannot be read'))
      .finally(() => {
        this.#round = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Finishes the mail under way; what is left waits for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#round;
    this.#options.delivery.close();
  }

  async #deliverAll(): Promise<void> {
    while (!this.#closed) {
      const mail = await this.#options.store.claim();
      if (mail === undefined) {
        return;
      }
      await this.#deliver(mail);
    }
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    const { store, delivery, log, onDelivered, onFailed, retryDelaysMs = RETRY_DELAYS_MS } = this.#options;
    const release = this.#hold(mail);
    try {
      await delivery.deliver(mail);
      await release();
    } catch (error) {
      onFailed?.();
      await release();
      const pauseMs = error instanceof RefusedMailError ? undefined : retryDelaysMs[mail.attempts];
      // Neither recipient nor text: the log is not the place for addresses and secret links.
      log.error({ mailId: mail.id, err: error, givenUp: pauseMs === undefined }, 'mail: not delivered');
      await store.postpone(mail, (error as Error).message, pauseMs === undefined ? null : Date.now() + pauseMs);
      return;
    }
    await store.remove(mail.id);
    log.info({ mailId: mail.id }, 'mail: delivered');
    onDelivered?.(mail);
  }

  /** Keeps a claim for as long as the delivery takes; returns what ends that. */
  #hold(mail: ClaimedMail): () => Promise<void> {
    const { store, log } = this.#options;
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewal = store
        .renew(mail)
        .catch((error: unknown) => log.error({ mailId: mail.id, err: error }, 'mail: the claim was not renewed'));
    }, store.leaseMs / 3).unref();
    return async () => {
      clearInterval(timer);
      await renewal;
    };
  }
}
