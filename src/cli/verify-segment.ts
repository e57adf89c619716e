/** Holds the bytes of a segment against its index, whose form is in `crates/zip/src/index.rs`. */

import { crc32 } from 'node:zlib';

/** Bytes of a record of the index before its name: size, CRC-32, length of the name. */
const RECORD_BYTES = 10;

/** Bytes of a local file header before its name (APPNOTE 4.3.7). */
const HEADER_BYTES = 30;
const HEADER_SIGNATURE = 0x04034b50;

interface IndexedFile {
  name: Buffer;
  bytes: number;
  crc32: number;
}

/** Names the first file whose header, name or data are not as the index says, in half a sentence. Undefined when all are. */
export async function damageOf(index: Buffer, segment: AsyncIterable<Buffer>): Promise<string | undefined> {
  const source = new ByteSource(segment);
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

function isHeaderOf(header: Buffer, { name, bytes, crc32: sum }: IndexedFile): boolean {
  return (
    header.length === HEADER_BYTES + name.length &&
    header.readUInt32LE(0) === HEADER_SIGNATURE &&
    header.readUInt32LE(14) === sum &&
    header.readUInt32LE(18) === bytes &&
    header.readUInt32LE(22) === bytes &&
    header.subarray(HEADER_BYTES).equals(name)
  );
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
