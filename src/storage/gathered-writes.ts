/** A stream into a file that gathers what comes and writes it in large pieces: each write is handed to another thread and back. */

import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { ReusedMemory } from './reused-memory.js';

/** Bytes that are written at once. */
export const GATHERED_BYTES = 1024 * 1024;

/** Writes to a file that is there, from an offset on. The file is open until the stream is destroyed, as it is at its end. */
export class GatheredWrites extends Writable {
  readonly #path: string;
  readonly #spare: ReusedMemory;
  readonly #memory: Buffer;
  #file: FileHandle | undefined;
  #position: number;
  #gathered = 0;

  /** `spare` is of `GATHERED_BYTES`. */
  constructor(path: string, start: number, spare: ReusedMemory) {
    // As much can wait for a write to end as it takes.
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
    const rest = this.#gather(chunk);
    if (rest.length === 0) {
      callback();
      return;
    }
    this.#writeUntilGathered(rest).then(() => callback(), callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#writeGathered().then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // Waits for a write that is under way: only then is the memory nobody's.
    (this.#file?.close() ?? Promise.resolve()).then(
      () => {
        this.#spare.giveBack(this.#memory);
        callback(error);
      },
      (closeError: Error) => callback(error ?? closeError),
    );
  }

  /** The rest that there is no room for. */
  #gather(chunk: Buffer): Buffer {
    const taken = chunk.copy(this.#memory, this.#gathered);
    this.#gathered += taken;
    return chunk.subarray(taken);
  }

  async #writeUntilGathered(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = this.#gather(rest)) {
      await this.#writeGathered();
    }
  }

  async #writeGathered(): Promise<void> {
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
