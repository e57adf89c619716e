/**
 * A range of an object as a stream of short requests: a slow reader holds no connection, and a broken connection
 * costs one piece.
 */

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** One response: its body, and what it says about the object. */
export interface Piece {
  entityTag: string | undefined;
  /** Size of the whole object. Undefined when the response is not the requested range. */
  objectBytes: number | undefined;
  body: Readable;
}

/**
 * Requests bytes `start` to `end` (inclusive), or as many as exist, of the object with this entity tag, if one is
 * given.
 */
type FetchPiece = (start: number, end: number, entityTag: string | undefined, signal: AbortSignal) => Promise<Piece>;

interface ObjectRangeOptions {
  /** Name used in errors. */
  name: string;
  fetch: FetchPiece;
  /** True when the stream is written to a file. Then even the first piece has the maximum size. */
  isFileReader: boolean;
  /** Shared with the other readers of the store. */
  readAhead: ReadAhead;
  /** Attempts per piece when its body breaks off. `fetch` retries its own failures. */
  attempts: number;
}

/** Read-ahead buffer, and piece size for a slow reader. */
const MIN_PIECE_BYTES = 1024 * 1024;

/**
 * While the reader waits for the store, each piece is twice the size of the last, up to this. At this size the cost of
 * a request hardly matters.
 */
const MAX_PIECE_BYTES = 8 * MIN_PIECE_BYTES;

/** Approximate bound on the read-ahead of all readers that may be slow. The more readers, the smaller each piece. */
const MAX_TOTAL_BYTES = 4 * MAX_PIECE_BYTES;

/** Minimum piece, however many readers there are: smaller requests would keep the store busy with nothing else. */
const MIN_SHARE_BYTES = 64 * 1024;

/** Memory that the open readers of a store share: those that are not files, and so may be slow. */
export class ReadAhead {
  readers = 0;

  /** At most `most` bytes; fewer when there are many readers. */
  share(most: number): number {
    return Math.max(MIN_SHARE_BYTES, Math.min(most, Math.floor(MAX_TOTAL_BYTES / Math.max(1, this.readers))));
  }
}

const FIRST_RETRY_DELAY_MS = 100;

/** Fails when the object is shorter than the range, or is replaced during the read. */
export class ObjectRange extends Readable {
  readonly #options: ObjectRangeOptions;
  #end: number;
  readonly #destroyed = new AbortController();
  #position: number;
  #entityTag: string | undefined;
  #pieceBytes = 0;
  #reading = false;

  /** `start` and `end` are offsets in bytes. `end` is inclusive, or infinity for the whole rest. */
  constructor(start: number, end: number, options: ObjectRangeOptions) {
    super({ highWaterMark: options.isFileReader ? MIN_PIECE_BYTES : options.readAhead.share(MIN_PIECE_BYTES) });
    options.readAhead.readers += options.isFileReader ? 0 : 1;
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
    this.#options.readAhead.readers -= this.#options.isFileReader ? 0 : 1;
    this.#destroyed.abort();
    callback(error);
  }

  /** Pushes all of each piece, even when it is more than the reader wants yet. */
  async #readPieces(): Promise<void> {
    // `_read` is called before the reader takes what is buffered. One tick later the buffer shows what is left.
    await Promise.resolve();
    do {
      await this.#readPiece();
    } while (this.#position <= this.#end && this.readableLength < this.readableHighWaterMark && !this.destroyed);
    // Cleared here and not by the caller: the reader may ask again before this call returns.
    this.#reading = false;
    if (this.#position > this.#end) {
      this.push(null);
    }
  }

  async #readPiece(): Promise<void> {
    const isReaderWaiting = this.readableLength === 0;
    const { isFileReader, readAhead } = this.#options;
    const minimum = isFileReader ? MAX_PIECE_BYTES : readAhead.share(MIN_PIECE_BYTES);
    const maximum = isFileReader ? MAX_PIECE_BYTES : readAhead.share(MAX_PIECE_BYTES);
    this.#pieceBytes = isReaderWaiting ? Math.min(Math.max(minimum, 2 * this.#pieceBytes), maximum) : minimum;
    const last = Math.min(this.#end, this.#position + this.#pieceBytes - 1);
    let bodyError: unknown;
    for (let attempt = 0; this.#position <= Math.min(this.#end, last); attempt += 1) {
      if (attempt === this.#options.attempts) {
        throw bodyError;
      }
      if (attempt > 0) {
        await pause(FIRST_RETRY_DELAY_MS * 2 ** (attempt - 1), undefined, { signal: this.#destroyed.signal });
      }
      bodyError = await this.#readUpTo(last);
    }
  }

  /** Returns the error that cut the body off, if any. Throws every other error. */
  async #readUpTo(last: number): Promise<unknown> {
    const { name, fetch } = this.#options;
    const { entityTag, objectBytes, body } = await fetch(this.#position, last, this.#entityTag, this.#destroyed.signal);
    try {
      if (objectBytes === undefined) {
        throw new Error(`${name}: the store sent a different range than requested`);
      }
      this.#entityTag ??= entityTag;
      if (this.#end === Number.POSITIVE_INFINITY) {
        this.#end = objectBytes - 1;
      }
      const end = Math.min(this.#end, last);
      const bodyError = await this.#take(body);
      if (bodyError !== undefined || this.#position > end) {
        return bodyError;
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
    // Pushes each chunk as it arrives. An async iterator would copy together the chunks that arrive between two
    // requests.
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
