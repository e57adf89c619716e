/** Fairness between holders, in memory: they take turns, so that the many of one delay no other. */

/** Values that take turns: the first is taken, and its owner sets it again behind the last. */
export class Turns<T> extends Map<string, T> {
  /** Continues behind the value that was taken last. A new iterator would first pass the places of all deleted values. */
  #rest = this.entries();

  /** @param mayCome passes over those of other keys; they keep their turns */
  take(mayCome?: (key: string) => boolean): [string, T] | undefined {
    const taken = mayCome === undefined ? this.#first() : this.#firstOf(mayCome);
    if (taken !== undefined) {
      this.delete(taken[0]);
    }
    return taken;
  }

  #firstOf(mayCome: (key: string) => boolean): [string, T] | undefined {
    // An iterator that stands still would keep all the deleted places behind it in memory.
    this.#rest = this.entries();
    return [...this].find(([key]) => mayCome(key));
  }

  #first(): [string, T] | undefined {
    const { value } = this.#rest.next();
    if (value === undefined) {
      this.#rest = this.entries();
    }
    return value ?? this.#rest.next().value;
  }
}

/** Lines of waiting items, one for each holder. The lines take turns. */
export class FairLines<Item> {
  /** By holder. No line is empty. */
  #lines = new Turns<Item[]>();
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
    this.#lines = new Turns([[holder, line], ...this.#lines]);
    this.#size += 1;
  }

  /** The first of the line whose turn it is, of the lines of such holders. Undefined when nothing of theirs waits. */
  shift(mayCome?: (holder: string) => boolean): Item | undefined {
    const [holder, line] = this.#lines.take(mayCome) ?? [];
    if (holder === undefined || line === undefined) {
      return undefined;
    }
    const item = line.shift();
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
