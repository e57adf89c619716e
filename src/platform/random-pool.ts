/** Random bytes for ids, drawn for many at once: that costs hardly more than to draw those of one. */

import { randomBytes } from 'node:crypto';

const DRAWN_AT_ONCE = 256;

export class RandomPool {
  readonly #bytes: number;
  #drawn: Buffer = Buffer.alloc(0);

  /** @param bytes number of bytes of each id */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** The bytes of the next id. They are given out once. */
  next(): Buffer {
    if (this.#drawn.length === 0) {
      this.#drawn = randomBytes(DRAWN_AT_ONCE * this.#bytes);
    }
    const bytes = this.#drawn.subarray(0, this.#bytes);
    this.#drawn = this.#drawn.subarray(this.#bytes);
    return bytes;
  }
}
