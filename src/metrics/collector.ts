/**
 * Refreshes the figures that are too expensive to read at every scrape: one at a time, in rounds that never overlap.
 */

const INTERVAL_MS = 15_000;

export class Collector {
  readonly #readings: readonly (() => Promise<void>)[];
  readonly #onCollected: () => void;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(
    readings: readonly (() => Promise<void>)[],
    onCollected: () => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#readings = readings;
    this.#onCollected = onCollected;
    this.#onFailure = onFailure;
  }

  /** Resolves when every figure has been read once. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.collect(), INTERVAL_MS).unref();
    await this.collect();
  }

  /** Starts a round, or joins a running one. */
  collect(): Promise<void> {
    this.#round ??= this.#readAll().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #readAll(): Promise<void> {
    try {
      for (const read of this.#readings) {
        await read();
      }
      this.#onCollected();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
