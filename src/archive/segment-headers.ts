/**
 * A segment's headers in the archive's central directory, made anew from the segment's directory whenever they are read:
 * they say where the segment lies, which nobody knows when it is written, and are three times as long as the directory.
 */

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Engine, HeadersRequest } from '../render/engine.js';
import { FarmCrashError } from '../render/farm-crash-error.js';
import type { BlobStore } from '../storage/blob-store.js';
import { FileRange } from '../storage/file-range.js';

/** The farm may die of what it does for others meanwhile. */
const ATTEMPTS = 3;

export interface DescribedSegment {
  /** Of the segment's directory. */
  directoryKey: string;
  segmentBytes: number;
  /** Where the segment begins in the archive. */
  offset: number;
}

export interface SegmentHeadersOptions {
  store: BlobStore;
  engine: Pick<Engine, 'writeHeaders'>;
  /** Folder for what is being read. */
  scratch: string;
}

export class SegmentHeaders {
  readonly #options: SegmentHeadersOptions;

  constructor(options: SegmentHeadersOptions) {
    this.#options = options;
  }

  /** Bytes `start` to `end` (inclusive) of the headers. Nothing of it is left once the stream has ended, or was destroyed. */
  read(segment: DescribedSegment, start: number, end: number): Readable {
    return Readable.from(this.#chunks(segment, start, end), { objectMode: false, highWaterMark: 1 });
  }

  async *#chunks({ directoryKey, ...place }: DescribedSegment, start: number, end: number): AsyncGenerator<Buffer> {
    const folder = join(this.#options.scratch, randomBytes(12).toString('hex'));
    await mkdir(folder, { recursive: true });
    try {
      const directoryPath = await this.#options.store.materialise(directoryKey, join(folder, 'directory'));
      const headersPath = join(folder, 'headers');
      await this.#write({ ...place, directoryPath, headersPath });
      yield* new FileRange(headersPath, start, end) as AsyncIterable<Buffer>;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #write(request: HeadersRequest): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#options.engine.writeHeaders(request);
        return;
      } catch (error) {
        if (!(error instanceof FarmCrashError) || attempt === ATTEMPTS) {
          throw error;
        }
      }
    }
  }
}
