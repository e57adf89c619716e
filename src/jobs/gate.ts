/** Who may be in the farm together: any number, or one alone. */

interface Waiting {
  alone: boolean;
  enter: () => void;
}

export class Gate {
  /** In order; who waits to be alone holds up those behind it. */
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #oneAlone = false;

  /** Does `work` beside others. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass(false, work);
  }

  /** Does `work` while nothing else is done here. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#pass(true, work);
  }

  async #pass<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.#waiting.push({ alone, enter });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#oneAlone = false;
      this.#admit();
    }
  }

  #admit(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#oneAlone || (next.alone && this.#inside > 0)) {
        return;
      }
      this.#waiting.shift();
      this.#inside += 1;
      this.#oneAlone = next.alone;
      next.enter();
    }
  }
}
