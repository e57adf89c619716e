/** A range of a file as a stream of large reads. The size of the reads decides how fast a download can be. */

import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';

const MAX_READ_BYTES = 1024 * 1024;
const MIN_READ_BYTES = 32 * 1024;

/** Bound on the next reads of all open ranges together: readers may be many, and slow. */
const ALL_READS_BYTES = 16 * MAX_READ_BYTES;

let openRanges = 0;

/** Size of one read. The more ranges are open, the smaller it is. */
function readBytes(): number {
  return Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, Math.floor(ALL_READS_BYTES / openRanges)));
}

/** Fails when the file is shorter than the range. The file stays open until the stream ends. */
export class FileRange extends Readable {
  readonly #path: string;
  readonly #end: number;
  #position: number;
  #file: FileHandle | undefined;

  /** `start` and `end` are offsets in bytes, `end` inclusive. */
  constructor(path: string, start: number, end: number) {
    // The stream stays one read ahead of the consumer, whatever the size of a read.
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
