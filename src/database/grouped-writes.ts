/** Commits concurrent writes together in one transaction: a commit costs as much for one write as for a hundred. */

/** Result of one write of a group: a value, or a refusal that leaves the other writes untouched. */
export type Outcome<T> = { value: T } | { refusal: Error };

interface Waiting<Entry, T> {
  entry: Entry;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** Maximum entries per transaction: bounds what a later entry waits for. */
const MAX_GROUP_ENTRIES = 64;

/** Concurrent transactions: the second runs its statements while the first waits for the disk. */
const MAX_CONCURRENT_GROUPS = 2;

export class GroupedWrites<Entry, T> {
  readonly #write: (entries: readonly Entry[]) => Promise<Outcome<T>[]>;
  #waiting: Waiting<Entry, T>[] = [];
  #inFlight = 0;

  /** `write` commits all entries, or none when it rejects. It returns the outcomes in the order of the entries. */
  constructor(write: (entries: readonly Entry[]) => Promise<Outcome<T>[]>) {
    this.#write = write;
  }

  /** Entries that are not yet part of a transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when the entry is committed. @throws the entry's refusal, or the error that `write` rejected its whole
   * group with
   */
  add(entry: Entry): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#waiting.length > 0 && this.#inFlight < MAX_CONCURRENT_GROUPS) {
      const group = this.#waiting.slice(0, MAX_GROUP_ENTRIES);
      this.#waiting = this.#waiting.slice(MAX_GROUP_ENTRIES);
      this.#inFlight += 1;
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
      this.#inFlight -= 1;
      this.#start();
    }
  }
}
