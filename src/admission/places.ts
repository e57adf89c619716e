/** The places of a kind of work, who holds how many, and the transfers whose speed the clients decide. */

import type { ApiError } from '../contract/errors.js';
import { Shares } from '../platform/shares.js';
import { SCARCE, tryAgain, type Work } from './table.js';

/** The places of one kind of work. One is there for each new holder, as long as a transfer gives way. */
export class Places {
  readonly work: Work;
  readonly total: number;
  refused = 0;
  readonly #transfers: Transfers | undefined;
  readonly #shares: Shares;
  readonly #ended = new Rate();
  readonly #refusals = new Rate();

  /** @param transfers of this kind; the slowest gives way where no place is free */
  constructor(work: Work, total: number, transfers: Transfers | undefined) {
    this.work = work;
    this.total = total;
    this.#transfers = transfers;
    this.#shares = new Shares(() => total);
  }

  get taken(): number {
    return this.#shares.taken;
  }

  take(names: readonly string[]): () => void {
    const most = this.#maxPerHolder;
    // Asked first: nobody's transfer is ended for a holder that would be refused all the same.
    if (!this.#shares.mayHaveMore(names, most)) {
      throw this.#refusal('rate_limited', `Too many of your ${SCARCE[this.work].tooMuch}`);
    }
    // A transfer that gives way returns its place a moment later.
    if (this.taken >= this.total && this.#transfers?.endSlowest() === undefined) {
      throw this.#refusal('unavailable', `Too many ${SCARCE[this.work].tooMuch}`);
    }
    this.#shares.add(names, 1);
    let isHeld = true;
    return () => {
      if (isHeld) {
        isHeld = false;
        this.#shares.add(names, -1);
        this.#ended.add();
      }
    };
  }

  figuresOf(name: string): { taken: number; most: number } {
    const taken = this.#shares.of(name);
    return { taken, most: Math.max(taken, this.#maxPerHolder) };
  }

  /** A holder with this many places gets no more. */
  get #maxPerHolder(): number {
    const { placesOfOne } = SCARCE[this.work] as { placesOfOne?: number };
    return this.#shares.limit({ least: 1, ...(placesOfOne !== undefined && { most: placesOfOne }) });
  }

  /**
   * Refused callers come back. `Retry-After` is the time until there is room for them all, at the current rate at which
   * work ends.
   */
  #refusal(code: 'rate_limited' | 'unavailable', message: string): ApiError {
    this.refused += 1;
    this.#refusals.add();
    const seconds = Math.ceil((this.taken + this.#refusals.perSecond) / Math.max(1, this.#ended.perSecond));
    return tryAgain(code, message, seconds);
  }
}

/** Counts events per second: those of the last whole second, or of the current one if they are more. */
class Rate {
  #second = 0;
  #count = 0;
  #before = 0;

  add(): void {
    this.#turn();
    this.#count += 1;
  }

  get perSecond(): number {
    this.#turn();
    return Math.max(this.#before, this.#count);
  }

  #turn(): void {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#before = second === this.#second + 1 ? this.#count : 0;
      this.#count = 0;
      this.#second = second;
    }
  }
}

/** Bytes on their way from or to a client, whose speed the client decides. The slowest are ended to make room for others. */
export interface Transfer {
  /** True while it is so slow that it may be ended for others. */
  readonly isSlow: boolean;
  /** Bytes moved in the last window of time. */
  readonly recentBytes: number;
  /** Ends it and closes its connection. Its place comes back a moment later. */
  giveWay: () => void;
}

/** The transfers in flight of one kind of work. */
export class Transfers<T extends Transfer = Transfer> {
  readonly #open = new Set<T>();

  add(transfer: T): void {
    this.#open.add(transfer);
  }

  delete(transfer: T): void {
    this.#open.delete(transfer);
  }

  /** Ends the slowest transfer that `isCandidate` accepts, if one is slow enough, and returns it. Undefined: there is none. */
  endSlowest(isCandidate: (transfer: T) => boolean = () => true): T | undefined {
    const [slowest] = [...this.#open]
      .filter((transfer) => transfer.isSlow && isCandidate(transfer))
      .toSorted((one, other) => one.recentBytes - other.recentBytes);
    if (slowest !== undefined) {
      this.#open.delete(slowest);
      slowest.giveWay();
    }
    return slowest;
  }
}
