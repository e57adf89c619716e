/** Delivers the mails of the outbox, with retries and back-off. */

import type { Log } from '../log.js';
import { Rounds } from '../rounds.js';
import { type Delivery, RefusedMailError } from './delivery.js';
import type { ClaimedMail, Mail, MailStore } from './mail-store.js';

/** Delays after failed attempts. They span about three days: a mail survives a server that is down over a weekend. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 4 * 3_600_000, ...Array(12).fill(6 * 3_600_000)];

/** Polling interval. Nothing wakes this process when a retry falls due or another process inserts a mail. */
const POLL_INTERVAL_MS = 5_000;

interface OutboxWorkerOptions {
  store: MailStore;
  delivery: Delivery;
  log: Log;
  onDelivered?: (mail: Mail) => void;
  onFailed?: () => void;
  /** Delays after failed attempts. Default: about three days in all. */
  retryDelaysMs?: readonly number[];
}

export class OutboxWorker {
  readonly #options: OutboxWorkerOptions;
  readonly #rounds: Rounds;

  constructor(options: OutboxWorkerOptions) {
    this.#options = options;
    this.#rounds = new Rounds({
      work: () => this.#deliverAll(),
      everyMs: POLL_INTERVAL_MS,
      onFailure: (error) => options.log.error({ err: error }, 'mail: could not read the outbox'),
    });
  }

  start(): void {
    void this.#rounds.start();
  }

  /** Delivers due mails now. Call it after committing a new mail. */
  wake(): void {
    this.#rounds.runSoon();
  }

  /** Finishes the mail in flight. The rest waits for the next start. */
  async close(): Promise<void> {
    await this.#rounds.close();
    this.#options.delivery.close();
  }

  async #deliverAll(): Promise<void> {
    while (!this.#rounds.isClosed) {
      const mail = await this.#options.store.claim();
      if (mail === undefined) {
        return;
      }
      await this.#deliver(mail);
    }
  }

  async #deliver(mail: ClaimedMail): Promise<void> {
    const { store, delivery, log, onDelivered, onFailed, retryDelaysMs = RETRY_DELAYS_MS } = this.#options;
    const stopRenewal = this.#keepClaim(mail);
    try {
      await delivery.deliver(mail);
      await stopRenewal();
    } catch (error) {
      onFailed?.();
      await stopRenewal();
      const pauseMs = error instanceof RefusedMailError ? undefined : retryDelaysMs[mail.attempts];
      // Logs neither recipient nor text: addresses and secret links do not belong in the log.
      log.error({ mailId: mail.id, err: error, givenUp: pauseMs === undefined }, 'mail: delivery failed');
      await store.postpone(mail, (error as Error).message, pauseMs === undefined ? null : Date.now() + pauseMs);
      return;
    }
    await store.remove(mail.id);
    log.info({ mailId: mail.id }, 'mail: delivered');
    onDelivered?.(mail);
  }

  /** Renews a claim while the delivery runs. Returns a function that stops the renewal. */
  #keepClaim(mail: ClaimedMail): () => Promise<void> {
    const { store, log } = this.#options;
    let renewal: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewal = store
        .renew(mail)
        .catch((error: unknown) => log.error({ mailId: mail.id, err: error }, 'mail: could not renew the claim'));
    }, store.leaseMs / 3).unref();
    return async () => {
      clearInterval(timer);
      await renewal;
    };
  }
}
