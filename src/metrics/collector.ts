/** Renews the figures that are too dear to read at every scrape: one look after the other, and never two at once. */

const EVERY_MS = 15_000;

export class Collector {
  readonly #looks: readonly (() => Promise<void>)[];
  readonly #onCollected: () => void;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(looks: readonly (() => Promise<void>)[], onCollected: () => void, onFailure: (error: unknown) => void) {
    this.#looks = looks;
    this.#onCollected = onCollected;
    this.#onFailure = onFailure;
  }

  /** Resolves when every figure has been read once. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.collect(), EVERY_MS).unref();
    await this.collect();
  }

  /** Joins a round that is under way. */
  collect(): Promise<void> {
    this.#round ??= this.#lookAtAll().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #lookAtAll(): Promise<void> {
    try {
      for (const look of this.#looks) {
        await look();
      }
      this.#onCollected();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
