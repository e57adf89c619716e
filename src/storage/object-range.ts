/** A range of an object as a stream of short requests: a slow reader holds no connection, a broken one costs a piece. */

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** The bytes of one answer, and what it says of the object. */
export interface Piece {
  entityTag: string | undefined;
  /** Bytes of the whole object; undefined when the answer is not the range that was asked for. */
  objectBytes: number | undefined;
  body: Readable;
}

/** Asks for bytes `start` to `end` (inclusive), or as far as there are any, of the object with this tag where one is given. */
export type FetchPiece = (
  start: number,
  end: number,
  entityTag: string | undefined,
  signal: AbortSignal,
) => Promise<Piece>;

export interface ObjectRangeOptions {
  /** For errors. */
  name: string;
  fetch: FetchPiece;
  /** True where the reader is a file: then it takes the largest pieces from the start. */
  isReaderQuick: boolean;
  /** Attempts at a piece whose body breaks off; `fetch` sees to its own retries. */
  attempts: number;
}

/** Bytes that are read ahead of a reader, and asked for at once where the reader is slow. */
const SMALLEST_PIECE = 1024 * 1024;

/** The largest piece. While the reader waits for the store, each piece is twice the last one, up to this: long enough that its request hardly counts. */
const LARGEST_PIECE = 8 * SMALLEST_PIECE;

/** Bytes that all readers who may be slow have ahead of them together, about: where they are many, each piece is smaller. */
const ALL_PIECES = 4 * LARGEST_PIECE;

/** However many they are: requests for less would keep the store busy with nothing else. */
const LEAST_PIECE = 64 * 1024;

let slowReaders = 0;

/** At most `most` bytes, and fewer where there are many readers. */
function share(most: number): number {
  return Math.max(LEAST_PIECE, Math.min(most, Math.floor(ALL_PIECES / Math.max(1, slowReaders))));
}

const FIRST_PAUSE_MS = 100;

/** Ends with an error when the object holds less than was asked for, or is replaced meanwhile. */
export class ObjectRange extends Readable {
  readonly #options: ObjectRangeOptions;
  #end: number;
  readonly #destroyed = new AbortController();
  #position: number;
  #entityTag: string | undefined;
  #pieceBytes = 0;
  #reading = false;

  /** `start` and `end` are offsets in bytes, `end` inclusive, or infinite for all there is. */
  constructor(start: number, end: number, options: ObjectRangeOptions) {
    super({ highWaterMark: options.isReaderQuick ? SMALLEST_PIECE : share(SMALLEST_PIECE) });
    slowReaders += options.isReaderQuick ? 0 : 1;
    this.#options = options;
    this.#position = start;
    this.#end = end;
  }

  override _read(): void {
    if (!this.#reading) {
      this.#reading = true;
      this.#readPieces().catch((error: Error) => this.destroy(error));
    }
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    slowReaders -= this.#options.isReaderQuick ? 0 : 1;
    this.#destroyed.abort();
    callback(error);
  }

  /** A piece is taken as it comes, also when that is more than the reader wants yet. */
  async #readPieces(): Promise<void> {
    // A reader asks before it takes what is there: a moment later it shows whether anything is left.
    await Promise.resolve();
    do {
      await this.#readPiece();
    } while (this.#position <= this.#end && this.readableLength < this.readableHighWaterMark && !this.destroyed);
    // At once: the reader may ask again before this call has returned to anyone.
    this.#reading = false;
    if (this.#position > this.#end) {
      this.push(null);
    }
  }

  async #readPiece(): Promise<void> {
    const isReaderWaiting = this.readableLength === 0;
    const { isReaderQuick } = this.#options;
    const smallest = isReaderQuick ? LARGEST_PIECE : share(SMALLEST_PIECE);
    const largest = isReaderQuick ? LARGEST_PIECE : share(LARGEST_PIECE);
    this.#pieceBytes = isReaderWaiting ? Math.min(Math.max(smallest, 2 * this.#pieceBytes), largest) : smallest;
    const last = Math.min(this.#end, this.#position + this.#pieceBytes - 1);
    let broken: unknown;
    for (let attempt = 0; this.#position <= Math.min(this.#end, last); attempt += 1) {
      if (attempt === this.#options.attempts) {
        throw broken;
      }
      if (attempt > 0) {
        await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: this.#destroyed.signal });
      }
      broken = await this.#readUpTo(last);
    }
  }

  /** Answers with what cut the body off, if anything did; whatever else is wrong is thrown. */
  async #readUpTo(last: number): Promise<unknown> {
    const { name, fetch } = this.#options;
    const { entityTag, objectBytes, body } = await fetch(this.#position, last, this.#entityTag, this.#destroyed.signal);
    try {
      if (objectBytes === undefined) {
        throw new Error(`${name}: the store answered with another range than was asked for`);
      }
      this.#entityTag ??= entityTag;
      if (this.#end === Number.POSITIVE_INFINITY) {
        this.#end = objectBytes - 1;
      }
      const end = Math.min(this.#end, last);
      const broken = await this.#take(body);
      if (broken !== undefined || this.#position > end) {
        return broken;
      }
      if (objectBytes <= end) {
        throw new Error(`${name} ends at byte ${objectBytes}, before byte ${this.#end}`);
      }
      return new Error(`${name}: the store sent less than it announced`);
    } finally {
      body.destroy();
    }
  }

  async #take(body: Readable): Promise<unknown> {
    // Each as it came: an iterator would copy those together that come while it is asked for none.
    body.on('data', (chunk: Buffer) => {
      this.#position += chunk.length;
      this.push(chunk);
    });
    try {
      await finished(body);
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
