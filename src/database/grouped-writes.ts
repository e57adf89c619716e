/** Commits concurrent writes together in one transaction: a commit costs as much for one write as for a hundred. */

interface Waiting<Entry> {
  entry: Entry;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Commits all entries but those it refuses, or none when it rejects. Resolves with the refusals, which leave the other
 * entries untouched.
 */
type Write<Entry> = (entries: readonly Entry[]) => Promise<ReadonlyMap<Entry, Error>>;

/** Maximum entries per transaction: bounds what a later entry waits for. */
const MAX_GROUP_ENTRIES = 64;

export class GroupedWrites<Entry> {
  readonly #write: Write<Entry>;
  #waiting: Waiting<Entry>[] = [];
  /** One group at a time: those that arrive meanwhile share the next commit. A second group would make all of them smaller. */
  #isWriting = false;

  constructor(write: Write<Entry>) {
    this.#write = write;
  }

  /**
   * Resolves when the entry is committed. @throws the entry's refusal, or the error that `write` rejected its whole
   * group with
   */
  add(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#waiting.length > 0 && !this.#isWriting) {
      const group = this.#waiting.slice(0, MAX_GROUP_ENTRIES);
      this.#waiting = this.#waiting.slice(MAX_GROUP_ENTRIES);
      this.#isWriting = true;
      void this.#run(group);
    }
  }

  async #run(group: readonly Waiting<Entry>[]): Promise<void> {
    try {
      const refusals = await this.#write(group.map(({ entry }) => entry));
      for (const { entry, resolve, reject } of group) {
        const refusal = refusals.get(entry);
        if (refusal === undefined) {
          resolve();
        } else {
          reject(refusal);
        }
      }
    } catch (error) {
      for (const { reject } of group) {
        reject(error);
      }
    } finally {
      this.#isWriting = false;
      this.#start();
    }
  }
}
