/**
 * Fairness between holders of something scarce. A holder gets more while it has less than is left: one alone gets half of all. The
 * more holders there are, the less each gets, and something always stays free for new ones.
 */
export class Shares {
  readonly #total: () => number;
  #taken = 0;
  readonly #by = new Map<string, number>();

  /** @param total asked each time */
  constructor(total: () => number) {
    this.#total = total;
  }

  get taken(): number {
    return this.#taken;
  }

  get left(): number {
    return this.#total() - this.#taken;
  }

  of(holder: string): number {
    return this.#by.get(holder) ?? 0;
  }

  /** A holder with so much gets no more. @param least that it may have although nothing is left; at most `most` */
  limit({ least = 0, most = Number.POSITIVE_INFINITY } = {}): number {
    return Math.min(Math.max(this.left, least), most);
  }

  /** True when each of the holders gets more. */
  mayHaveMore(holders: readonly string[], limit = this.limit()): boolean {
    return holders.every((holder) => this.of(holder) < limit);
  }

  /** @param change less than 0 for what is given back */
  add(holders: readonly string[], change: number): void {
    this.#taken += change;
    for (const holder of holders) {
      const taken = this.of(holder) + change;
      if (taken === 0) {
        this.#by.delete(holder);
      } else {
        this.#by.set(holder, taken);
      }
    }
  }
}
