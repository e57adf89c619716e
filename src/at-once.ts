/** Limits concurrency: over a list of items, among callers that wait in line, or in a turn of the event loop. */

/**
 * Runs `work` on each item, at most `atOnce` at a time. After an error it starts nothing more, waits for the work in
 * flight and then throws the error, so that nothing still runs when the caller cleans up.
 */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  let hasFailed = false;
  const runNext = async () => {
    for (const [index, item] of queue) {
      if (hasFailed) {
        return;
      }
      try {
        await work(item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, runNext));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}

/** A semaphore: a fixed number of slots; callers wait in line for a free one. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when the caller has a slot, with a function that releases it. Calling that twice does no harm. */
  async take(): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    let isReleased = false;
    return () => {
      if (!isReleased) {
        isReleased = true;
        this.#next();
      }
    };
  }

  /** Runs `work` in a slot. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
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

/** Turns of the event loop: one caller goes on in each, in the order of arrival, so that other work comes in between. */
export class EventLoopTurns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves at once in a turn that nobody has, otherwise in a later one. */
  async take(): Promise<void> {
    if (this.#isTaken) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#isTaken = true;
      setImmediate(this.#next);
    }
  }

  readonly #next = (): void => {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
    } else {
      setImmediate(this.#next);
      next();
    }
  };
}
