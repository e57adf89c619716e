/** Writes that arrive together and go into one transaction: its commit costs as much for one of them as for a hundred. */

/** The end of one write of a group: a value, or a refusal while the others were done. */
export type Outcome<T> = { value: T } | { refusal: Error };

interface Waiting<Entry, T> {
  entry: Entry;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** Entries of one transaction, at most: what comes later waits for no more than these. */
const MOST_TOGETHER = 64;

/** Transactions under way at once: the statements of the second run while the first waits for the disk. */
const MOST_AT_ONCE = 2;

export class GroupedWrites<Entry, T> {
  readonly #write: (entries: readonly Entry[]) => Promise<Outcome<T>[]>;
  #waiting: Waiting<Entry, T>[] = [];
  #underWay = 0;

  /** `write` does all or, when it rejects, nothing; its outcomes are in the order of the entries. */
  constructor(write: (entries: readonly Entry[]) => Promise<Outcome<T>[]>) {
    this.#write = write;
  }

  /** Entries that have no outcome yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the entry is committed. @throws what `write` refused it with, or rejected with for its whole group */
  add(entry: Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#waiting.length > 0 && this.#underWay < MOST_AT_ONCE) {
      const group = this.#waiting.slice(0, MOST_TOGETHER);
      this.#waiting = this.#waiting.slice(MOST_TOGETHER);
      this.#underWay += 1;
      void this.#run(group);
    }
  }

  async #run(group: readonly Waiting<Entry, T>[]): Promise<void> {
    try {
      const outcomes = await this.#write(group.map(({ entry }) => entry));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as Outcome<T>;
        if ('refusal' in outcome) {
          reject(outcome.refusal);
        } else {
          resolve(outcome.value);
        }
      }
    } catch (error) {
      for (const { reject } of group) {
        reject(error);
      }
    } finally {
      this.#underWay -= 1;
      this.#start();
    }
  }
}
