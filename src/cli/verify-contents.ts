/** Holds the pictures that are kept against the index of their segment, whose form is in `crates/zip/src/index.rs`. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { HEADER_BYTES, type IndexedFile, isHeaderOf } from '../jobs/archive/stored-file.js';
import { segmentIndexKey, segmentKey } from '../jobs/files/job-files.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { JobRows } from './verify-store.js';

/** Bytes of a record of the index before its name: size, CRC-32, length of the name. */
const RECORD_BYTES = 10;

/** Reads the pictures of a job, segment by segment, and names the damaged ones. */
export async function contentProblems(rows: JobRows, storage: BlobStore): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, position, attempt, segment_bytes: segmentBytes, index_bytes: indexBytes } of rows) {
    if (position !== null && attempt !== null && segmentBytes && indexBytes) {
      const key = segmentKey(id, position, attempt);
      try {
        const index = await buffer(storage.read(segmentIndexKey(id, position, attempt), 0, indexBytes - 1));
        const damage = await damageOf(index, storage.read(key, 0, segmentBytes - 1));
        problems.push(...(damage === undefined ? [] : [`${key}: ${damage}`]));
      } catch (error) {
        problems.push(`${key}: ${(error as Error).message}`);
      }
    }
  }
  return problems;
}

/** Names the first file whose header, name or data are not as the index says, in half a sentence. Undefined when all are. */
async function damageOf(index: Buffer, segment: Readable): Promise<string | undefined> {
  const source = new ByteSource(segment);
  try {
    for (const file of filesOf(index)) {
      if (file === undefined) {
        return 'its index is damaged';
      }
      const header = await source.take(HEADER_BYTES + file.name.length);
      if (!isHeaderOf(header, file) || (await source.checksum(file.bytes)) !== file.crc32) {
        return `${file.name.toString()} is damaged`;
      }
    }
    return undefined;
  } finally {
    segment.destroy();
  }
}

function* filesOf(index: Buffer): Generator<IndexedFile | undefined> {
  for (let start = 0; start < index.length; ) {
    const nameStart = start + RECORD_BYTES;
    const nameEnd = nameStart <= index.length ? nameStart + index.readUInt16LE(start + 8) : nameStart;
    if (nameEnd > index.length) {
      yield undefined;
      return;
    }
    const name = index.subarray(nameStart, nameEnd);
    yield { name, bytes: index.readUInt32LE(start), crc32: index.readUInt32LE(start + 4) };
    start = nameEnd;
  }
}

/** Takes bytes from a stream, in pieces. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next `count` bytes, or those that are there. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.#use(count, (part) => parts.push(part));
    return Buffer.concat(parts);
  }

  /** CRC-32 of the next `count` bytes, or of those that are there. */
  async checksum(count: number): Promise<number> {
    let sum = 0;
    await this.#use(count, (part) => {
      sum = crc32(part, sum);
    });
    return sum;
  }

  async #use(count: number, use: (part: Buffer) => void): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.#held.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) {
          return;
        }
        this.#held = next.value;
      }
      const part = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(part.length);
      left -= part.length;
      use(part);
    }
  }
}
