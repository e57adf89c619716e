/** The leases that this process holds: each is claimed once and renewed while its work runs. */

import { oneAtATime } from '../../platform/concurrency.js';
import type { Step } from './queue/dispatcher.js';
import type { Busy, Lease, LeaseStore } from '../lease-store.js';

/** Renewals per lease: a lease is lost when this many in a row fail. */
const RENEWALS = 3;

export class HeldLeases {
  readonly #store: LeaseStore;
  readonly #leaseMs: number;
  readonly #onFailure: (error: unknown) => void;
  /** By name. Undefined while being claimed. */
  readonly #leases = new Map<string, Lease | undefined>();
  #timer: NodeJS.Timeout | undefined;
  /** The renewal under way, or the last one. There is never a second one, which would renew what was given back since. Never rejects. */
  #renewing: Promise<void> | undefined;
  readonly #renew = oneAtATime(() => {
    const leases = [...this.#leases.values()].filter((lease) => lease !== undefined);
    return this.#store.renew(leases, this.end).catch(this.#onFailure);
  });

  constructor(store: LeaseStore, leaseMs: number, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#onFailure = onFailure;
  }

  /** End of a lease claimed now, unless renewed (Unix milliseconds). */
  get end(): number {
    return Date.now() + this.#leaseMs;
  }

  /**
   * Claims what the step is about and runs `work` under the lease. Resolves with the time of a retry when another
   * process holds it, or when `work` resolves with one: then the lease is given back. Does nothing when there is nothing
   * to do, or this process already works on it.
   */
  async run<T extends { attempt: number }>(
    { jobId, chunk }: Step,
    claim: (until: number) => Promise<T | Busy | undefined>,
    work: (claimed: T) => Promise<number | undefined>,
  ): Promise<number | undefined> {
    const name = `${jobId} ${chunk ?? 'finish'}`;
    if (this.#leases.has(name)) {
      return undefined;
    }
    this.#leases.set(name, undefined);
    this.#timer ??= setInterval(() => (this.#renewing = this.#renew()), this.#leaseMs / RENEWALS);
    try {
      const claimed = await claim(this.end);
      if (claimed === undefined) {
        return undefined;
      }
      if ('busyUntil' in claimed) {
        return claimed.busyUntil;
      }
      const lease = { jobId, chunk, attempt: claimed.attempt };
      this.#leases.set(name, lease);
      const retryAt = await work(claimed);
      if (retryAt !== undefined) {
        this.#leases.delete(name);
        // A renewal under way would renew what is given back.
        await this.#renewing;
        await this.#store.release(lease);
      }
      return retryAt;
    } finally {
      this.#leases.delete(name);
      if (this.#leases.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  /** Resolves when nothing is renewed any more, once all work has ended. */
  async close(): Promise<void> {
    await this.#renewing;
  }
}
