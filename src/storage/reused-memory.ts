/** Memory that is used again and again: each new piece of it would have the garbage collector go through the whole heap. */

/** As many buffers of a size as were ever in use at once; what is never filled of them stays with the system. */
export class ReusedMemory {
  readonly #bytes: number;
  readonly #free: Buffer[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /** Memory that something may still read or write is left to the garbage collector instead. */
  giveBack(memory: Buffer): void {
    this.#free.push(memory);
  }
}
