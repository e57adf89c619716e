/**
 * A stream into a file that buffers its input and writes large pieces, since every write makes a round trip to another
 * thread.
 */

import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { ReusedMemory } from './reused-memory.js';

/** Bytes per write. */
export const GATHERED_BYTES = 1024 * 1024;

/**
 * Writes to an existing file, starting at an offset. The file stays open until the stream is destroyed, which happens
 * when it ends.
 */
export class GatheredWrites extends Writable {
  readonly #path: string;
  readonly #spare: ReusedMemory;
  readonly #memory: Buffer;
  #file: FileHandle | undefined;
  #position: number;
  #gathered = 0;

  /** `spare`: a pool of buffers of `GATHERED_BYTES`. */
  constructor(path: string, start: number, spare: ReusedMemory) {
    // Lets the producer fill as much again while a write runs.
    super({ highWaterMark: GATHERED_BYTES });
    this.#path = path;
    this.#position = start;
    this.#spare = spare;
    this.#memory = spare.take();
  }

  override _construct(callback: (error?: Error | null) => void): void {
    open(this.#path, 'r+').then(
      (file) => {
        this.#file = file;
        callback();
      },
      (error: Error) => callback(error),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    const rest = this.#fill(chunk);
    if (rest.length === 0) {
      callback();
      return;
    }
    this.#writeUntilFits(rest).then(() => callback(), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#flush().then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // Waits for a write in flight: only then is the buffer free.
    (this.#file?.close() ?? Promise.resolve()).then(
      () => {
        this.#spare.giveBack(this.#memory);
        callback(error);
      },
      (closeError: Error) => callback(error ?? closeError),
    );
  }

  /** Copies as much as fits into the buffer and returns the rest. */
  #fill(chunk: Buffer): Buffer {
    const taken = chunk.copy(this.#memory, this.#gathered);
    this.#gathered += taken;
    return chunk.subarray(taken);
  }

  async #writeUntilFits(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = this.#fill(rest)) {
      await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    for (let done = 0; done < this.#gathered; ) {
      const { bytesWritten } = await this.#file!.write(
        this.#memory,
        done,
        this.#gathered - done,
        this.#position + done,
      );
      done += bytesWritten;
    }
    this.#position += this.#gathered;
    this.#gathered = 0;
  }
}
