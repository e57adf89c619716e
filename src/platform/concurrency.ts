/**
 * Limits concurrency: over a list of items, among callers that wait in line, those who can share one sync or one message, or in a
 * turn of the event loop.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { FairLines } from './turns.js';

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

/** A semaphore: a fixed number of slots; callers wait for a free one, and those of several holders take turns. */
export class Slots {
  #free: number;
  readonly #waiting = new FairLines<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Resolves when the caller has a slot, with a function that releases it. Calling that twice does no harm.
   * @param until asked only where the caller must wait: a timer costs more than a free slot
   * @throws the reason of the signal when it is aborted before
   */
  async take(holder = '', until?: () => AbortSignal | undefined): Promise<() => void> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await this.#wait(holder, until?.());
    }
    let isReleased = false;
    return () => {
      if (!isReleased) {
        isReleased = true;
        this.#next();
      }
    };
  }

  /** Runs `work` in a slot. @throws the reason of the signal as `take` does */
  async within<T>(work: () => Promise<T>, holder = '', until?: () => AbortSignal): Promise<T> {
    const release = await this.take(holder, until);
    try {
      return await work();
    } finally {
      release();
    }
  }

  async #wait(holder: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const over = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(holder, resolve);
        const leave = () => {
          this.#waiting.remove(holder, resolve);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', leave, { signal: over.signal });
      });
    } finally {
      over.abort();
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

/** Turns in a row that are left to new clients: however many connect, downloads go on. */
const MAX_LEFT_TURNS = 50;

/**
 * Turns of the event loop: one caller goes on in each, in the order of arrival, so that other work comes in between. A turn in
 * which a client connected is left to it: the process accepts one connection in a turn, so each turn that is short lets the
 * next client in sooner.
 */
export class EventLoopTurns {
  /** True when a client connected in this turn. A process has one event loop, whoever takes its turns. */
  static #hasNewClient = false;
  #isTaken = false;
  #left = 0;
  readonly #waiting: (() => void)[] = [];

  /** Leaves this turn to a client that connected. */
  static leaveToClient(this: void): void {
    EventLoopTurns.#hasNewClient = true;
    // Runs at the end of this turn, behind those who waited for it.
    setImmediate(() => {
      EventLoopTurns.#hasNewClient = false;
    });
  }

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
    if (EventLoopTurns.#hasNewClient && this.#waiting.length > 0 && this.#left < MAX_LEFT_TURNS) {
      this.#left += 1;
      setImmediate(this.#next);
      return;
    }
    this.#left = 0;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isTaken = false;
    } else {
      setImmediate(this.#next);
      next();
    }
  };
}

/** Resolves as `work` does, which goes on all the same. @throws Error when that takes longer */
export async function inTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/** Callers share the run of `work` that is under way. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
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

/** Sends in one message what is added in one turn of the event loop: each message takes a system call, and wakes a process. */
export class Gathered<Part> {
  readonly #send: (parts: Part[]) => void;
  #parts: Part[] = [];

  constructor(send: (parts: Part[]) => void) {
    this.#send = send;
  }

  add(part: Part): void {
    if (this.#parts.push(part) === 1) {
      setImmediate(() => this.#send(this.#parts.splice(0)));
    }
  }
}
