/** Ranges of files in large reads. Their size decides how fast a download can be. */

import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { EventLoopTurns } from '../platform/concurrency.js';

const MAX_READ_BYTES = 1024 * 1024;
const MIN_READ_BYTES = 32 * 1024;

/** Bound on the next reads of all open ranges together: readers may be many, and slow. */
const ALL_READS_BYTES = 16 * MAX_READ_BYTES;

/** Reads ranges of files. Those that are open at the same time share memory and the event loop. */
export class FileRanges {
  #open = 0;
  readonly #turns = new EventLoopTurns();

  /**
   * Yields bytes `start` to `end` (inclusive) of a file, and closes it at the end. Passes on one buffer in each turn of the
   * event loop, however many ranges are open: a process accepts one connection in a turn, so hundreds of buffers in one
   * turn would keep new clients waiting for seconds.
   * @throws Error also when the file is shorter
   */
  async *read(path: string, start: number, end: number): AsyncGenerator<Buffer> {
    this.#open += 1;
    try {
      await using file = await open(path);
      for (let position = start; position <= end; ) {
        const length = Math.min(this.#readBytes, end + 1 - position);
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, position);
        if (bytesRead === 0) {
          throw new Error(`${path} ends at byte ${position}, before byte ${end}`);
        }
        position += bytesRead;
        await this.#turns.take();
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      this.#open -= 1;
    }
  }

  /** Size of one read. The more ranges are open, the smaller it is. */
  get #readBytes(): number {
    return Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, Math.floor(ALL_READS_BYTES / this.#open)));
  }
}

/** A stream that asks for one buffer at a time: it is one ahead of its reader, however large they are. */
export function streamed(buffers: AsyncIterable<Buffer | string>): Readable {
  return Readable.from(buffers, { objectMode: false, highWaterMark: 1 });
}
