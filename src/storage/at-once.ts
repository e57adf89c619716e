/** Bounds work that is done at once: a list of items, or callers who wait in line. */

/** After an error nothing more is begun, and it is thrown when nothing is under way any more: what comes late cannot spoil a cleaning up. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  let isBroken = false;
  const workOn = async () => {
    for (const [index, item] of queue) {
      if (isBroken) {
        return;
      }
      try {
        await work(item, index);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, workOn));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}

/** Places for a number of callers; who comes late waits in line. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when it is the caller's turn, with what ends the turn; calling that again does nothing. */
  async take(): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    let isOver = false;
    return () => {
      if (!isOver) {
        isOver = true;
        this.#next();
      }
    };
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
