/** The items of a JSON request file, as the bytes that they are: found by brackets and quotes alone, and judged by the check. */

import { createReadStream } from 'node:fs';
import { UnreadableItemsError } from './unreadable-items-error.js';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Bytes of a member's name that are kept: enough to tell the one that is looked for. */
const NAME_BYTES = 16;

/** The array that is the member `items` of the object in the file, with its brackets, in pieces. @throws UnreadableItemsError */
export async function* jsonItems(path: string): AsyncGenerator<Buffer> {
  const finder = new ItemsFinder();
  for await (const chunk of createReadStream(path)) {
    yield* finder.read(chunk as Buffer);
  }
  finder.end();
}

class ItemsFinder {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** A string of the outermost object would be the name of a member. */
  #atName = false;
  #name: number[] = [];
  #found = false;
  #inside = false;

  *read(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const wasInside = this.#inside;
      this.#step(chunk[index] as number);
      if (this.#inside && !wasInside) {
        start = index;
      } else if (wasInside && !this.#inside) {
        yield chunk.subarray(start, index + 1);
      }
    }
    if (this.#inside) {
      yield chunk.subarray(start);
    }
  }

  end(): void {
    if (this.#depth !== 0 || this.#inString) {
      throw new UnreadableItemsError('It ends in the middle');
    }
    if (!this.#found) {
      throw new UnreadableItemsError('Expected an object with the member “items”, an array');
    }
  }

  #step(byte: number): void {
    if (this.#inString) {
      this.#stepInString(byte);
    } else if (byte === QUOTE) {
      this.#inString = true;
      if (this.#depth === 1 && this.#atName) {
        this.#name = [];
      }
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      this.#open(byte);
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.#depth -= 1;
      this.#inside &&= this.#depth > 1;
    } else if (this.#depth === 1 && byte === COMMA) {
      this.#atName = true;
    } else if (this.#depth === 1 && byte === COLON) {
      this.#atName = false;
    }
  }

  #stepInString(byte: number): void {
    if (this.#escaped) {
      this.#escaped = false;
    } else if (byte === BACKSLASH) {
      this.#escaped = true;
    } else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1 && this.#atName && this.#name.length < NAME_BYTES) {
      this.#name.push(byte);
    }
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#atName = byte === OPEN_OBJECT;
    } else if (this.#depth === 2 && byte === OPEN_ARRAY && !this.#atName && this.#isItems()) {
      if (this.#found) {
        throw new UnreadableItemsError('It has the member “items” twice');
      }
      this.#found = true;
      this.#inside = true;
    }
  }

  #isItems(): boolean {
    return Buffer.from(this.#name).toString() === 'items';
  }
}
