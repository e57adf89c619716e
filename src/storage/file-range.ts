/** A range of a file as a stream of large reads: the size of a read decides how fast a download can be. */

import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';

const LARGEST_READ_BYTES = 1024 * 1024;
const SMALLEST_READ_BYTES = 32 * 1024;

/** Bytes that the next read of each open range comes to, of all together: readers may be many, and slow. */
const ALL_READS_BYTES = 16 * LARGEST_READ_BYTES;

let openRanges = 0;

/** The more ranges are open, the smaller are their reads. */
function readBytes(): number {
  return Math.max(SMALLEST_READ_BYTES, Math.min(LARGEST_READ_BYTES, Math.floor(ALL_READS_BYTES / openRanges)));
}

/** Ends with an error when the file holds less than was asked for. The file is open from the first read to the end. */
export class FileRange extends Readable {
  readonly #path: string;
  readonly #end: number;
  #position: number;
  #file: FileHandle | undefined;

  /** `start` and `end` are offsets in bytes, `end` inclusive. */
  constructor(path: string, start: number, end: number) {
    // One read, of whatever size, is ahead of the consumer.
    super({ highWaterMark: 1 });
    openRanges += 1;
    this.#path = path;
    this.#position = start;
    this.#end = end;
  }

  override _construct(callback: (error?: Error | null) => void): void {
    open(this.#path).then(
      (file) => {
        this.#file = file;
        callback();
      },
      (error: Error) => callback(error),
    );
  }

  override _read(): void {
    void this.#readNext().catch((error: Error) => this.destroy(error));
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    openRanges -= 1;
    (this.#file?.close() ?? Promise.resolve()).then(
      () => callback(error),
      (closeError: Error) => callback(error ?? closeError),
    );
  }

  async #readNext(): Promise<void> {
    const length = Math.min(readBytes(), this.#end + 1 - this.#position);
    if (length <= 0) {
      this.push(null);
      return;
    }
    const { bytesRead, buffer } = await this.#file!.read(Buffer.allocUnsafeSlow(length), 0, length, this.#position);
    if (bytesRead === 0) {
      throw new Error(`${this.#path} ends at byte ${this.#position}, before byte ${this.#end}`);
    }
    this.#position += bytesRead;
    this.push(buffer.subarray(0, bytesRead));
  }
}
