/** Bytes on their way from and to clients, whose speed the clients decide. The slowest are ended to make room for others. */

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
