/** Work done in rounds: regularly and whenever somebody asks, never two rounds at once. */

interface RoundsOptions {
  work: () => Promise<unknown>;
  /** Pause between two rounds. A function is asked after each. */
  everyMs: number | (() => number);
  /** Called when a round failed. The next round tries again. */
  onFailure: (error: unknown) => void;
}

export class Rounds {
  readonly #options: RoundsOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  /** True when `runSoon` was called during a round. */
  #again = false;
  #started = false;
  #closed = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /** True once no further round will start. A long round may look at it and stop early. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Runs a round now, and from then on regularly. Resolves at the end of the first round. */
  async start(): Promise<void> {
    this.#started = true;
    this.runSoon();
    await this.#round;
  }

  /** Runs a round now, or right after the one that is running. */
  runSoon(): void {
    if (this.#closed) {
      return;
    }
    if (this.#round !== undefined) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    const { work, onFailure } = this.#options;
    this.#round = work()
      .catch(onFailure)
      .then(() => {
        this.#round = undefined;
        if (this.#again) {
          this.#again = false;
          this.runSoon();
        } else if (this.#started && !this.#closed) {
          const { everyMs } = this.#options;
          this.#timer = setTimeout(() => this.runSoon(), typeof everyMs === 'number' ? everyMs : everyMs()).unref();
        }
      });
  }

  /** Starts no further round, and resolves when the running one has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#round;
  }
}
