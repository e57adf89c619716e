/** The leases that this process works under: each is taken once, and held on to for as long as its work takes. */

import type { Task } from '../../dispatch/dispatcher.js';
import type { Busy, Lease, LeaseStore } from '../lease-store.js';

/** Renewals that may fail before a lease is lost. */
const RENEWALS = 3;

export class HeldLeases {
  readonly #store: LeaseStore;
  readonly #leaseMs: number;
  readonly #onFailure: (error: unknown) => void;
  /** By name; undefined while it is being claimed. */
  readonly #inHand = new Map<string, Lease | undefined>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: LeaseStore, leaseMs: number, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#onFailure = onFailure;
  }

  /** When a lease that is taken now ends, unless it is renewed: Unix milliseconds. */
  get end(): number {
    return Date.now() + this.#leaseMs;
  }

  /**
   * Claims what a task is about and does `work` under the lease; resolves with when to come again where another process
   * holds it. Does nothing when there is nothing to do, or this process is about it already.
   */
  async under<T extends { attempt: number }>(
    { jobId, chunk }: Task,
    claim: (until: number) => Promise<T | Busy | undefined>,
    work: (claimed: T) => Promise<void>,
  ): Promise<number | undefined> {
    const name = `${jobId} ${chunk ?? 'finish'}`;
    if (this.#inHand.has(name)) {
      return undefined;
    }
    this.#inHand.set(name, undefined);
    this.#timer ??= setInterval(() => void this.#renew(), this.#leaseMs / RENEWALS);
    try {
      const claimed = await claim(this.end);
      if (claimed === undefined) {
        return undefined;
      }
      if ('busyUntil' in claimed) {
        return claimed.busyUntil;
      }
      this.#inHand.set(name, { jobId, chunk, attempt: claimed.attempt });
      await work(claimed);
      return undefined;
    } finally {
      this.#inHand.delete(name);
      if (this.#inHand.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async #renew(): Promise<void> {
    const leases = [...this.#inHand.values()].filter((lease) => lease !== undefined);
    await this.#store.renew(leases, this.end).catch(this.#onFailure);
  }
}
