/** A pool of buffers. Allocating new ones makes the garbage collector scan the whole heap each time. */

/**
 * Holds as many buffers of one size as were ever in use at once. The operating system backs only the pages that have
 * been written.
 */
export class ReusedMemory {
  readonly #bytes: number;
  readonly #free: Buffer[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /**
   * Returns a buffer to the pool. Do not return one that something may still read or write: the garbage collector frees
   * it.
   */
  giveBack(memory: Buffer): void {
    this.#free.push(memory);
  }
}
