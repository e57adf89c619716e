/**
 * Limits concurrency: over a list of items, among callers that wait in line, among those who can share one sync, or in a
 * turn of the event loop.
 */

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

/** Lines of waiting items, one for each holder. The lines take turns, so that a long one delays no other. */
export class FairLines<Item> {
  /** By holder, in the order of their turns. No line is empty. */
  #lines = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(holder: string, item: Item): void {
    const line = this.#lines.get(holder);
    if (line === undefined) {
      this.#lines.set(holder, [item]);
    } else {
      line.push(item);
    }
    this.#size += 1;
  }

  /** Puts back what `shift` returned: it comes next. */
  unshift(holder: string, item: Item): void {
    const line = [item, ...(this.#lines.get(holder) ?? [])];
    this.#lines.delete(holder);
    this.#lines = new Map([[holder, line], ...this.#lines]);
    this.#size += 1;
  }

  /** The first of the line whose turn it is, of the lines of such holders. Undefined when nothing of theirs waits. */
  shift(mayCome: (holder: string) => boolean = () => true): Item | undefined {
    const holder = [...this.#lines.keys()].find(mayCome);
    const line = holder === undefined ? undefined : this.#lines.get(holder);
    if (holder === undefined || line === undefined) {
      return undefined;
    }
    const item = line.shift();
    this.#lines.delete(holder);
    if (line.length > 0) {
      this.#lines.set(holder, line);
    }
    this.#size -= 1;
    return item;
  }

  remove(holder: string, item: Item): void {
    const line = this.#lines.get(holder) ?? [];
    const others = line.filter((each) => each !== item);
    this.#size -= line.length - others.length;
    if (others.length > 0) {
      this.#lines.set(holder, others);
    } else {
      this.#lines.delete(holder);
    }
  }
}

/** A caller of `Slots` waited for longer than it wanted to. */
export class WaitedTooLongError extends Error {
  override readonly name = 'WaitedTooLongError';
}

/** A semaphore: a fixed number of slots; callers wait for a free one, and those of several holders take turns. */
export class Slots {
  #free: number;
  readonly #waiting = new FairLines<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Resolves when the caller has a slot, with a function that releases it. Calling that twice does no harm.
   * @throws WaitedTooLongError when there is none within `maxWaitMs`
   */
  async take(holder = '', maxWaitMs?: number): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await this.#wait(holder, maxWaitMs);
    }
    let isReleased = false;
    return () => {
      if (!isReleased) {
        isReleased = true;
        this.#next();
      }
    };
  }

  async within<T>(work: () => Promise<T>, holder = ''): Promise<T> {
    const release = await this.take(holder);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #wait(holder: string, maxWaitMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push(holder, resolve);
      if (maxWaitMs !== undefined) {
        timer = setTimeout(() => {
          this.#waiting.remove(holder, resolve);
          reject(new WaitedTooLongError(`no slot within ${maxWaitMs} ms`));
        }, maxWaitMs);
      }
    });
    clearTimeout(timer);
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

/**
 * Wraps a sync so that calls share it: a disk sync takes milliseconds, however much there is to sync. At most one sync runs
 * at a time. A call that arrives while one runs waits for the next, because the running one may have started before the
 * caller's write.
 */
export function sharedSync(sync: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const start = (): Promise<void> => {
    running = sync().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) {
      return start();
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
