/**
 * Files in a ZIP segment: uncompressed, one after the other, each behind its local file header (APPNOTE 6.3, section
 * 4.3.7).
 */

/** Size of a local file header without name and extra field. */
export const HEADER_BYTES = 30;

/** Offsets of the fields used here. */
const HEADER = { signature: 0, crc32: 14, compressedSize: 18, size: 22, nameLength: 26, extraLength: 28 };
const SIGNATURE = 0x04034b50;

/** Upper bound of a local file header: names have at most 100 characters. */
export const MAX_HEADER_BYTES = 1_024;

interface StoredFile {
  /** Includes the extension. */
  name: string;
  /** Offsets in the segment: of the file's first byte, and one past its last. */
  start: number;
  end: number;
}

/** The file whose header is at `offset`. `segment` must contain the whole header. */
export function storedFileAt(segment: Buffer, offset: number): StoredFile {
  const nameStart = offset + HEADER_BYTES;
  const nameEnd = nameStart + segment.readUInt16LE(offset + HEADER.nameLength);
  const start = nameEnd + segment.readUInt16LE(offset + HEADER.extraLength);
  const end = start + segment.readUInt32LE(offset + HEADER.compressedSize);
  return { name: segment.toString('utf8', nameStart, nameEnd), start, end };
}

/** A file as the index of its segment has it. */
export interface IndexedFile {
  name: Buffer;
  bytes: number;
  crc32: number;
}

/** True when `header` is the whole local file header of that file, its name included. */
export function isHeaderOf(header: Buffer, { name, bytes, crc32 }: IndexedFile): boolean {
  return (
    header.length === HEADER_BYTES + name.length &&
    header.readUInt32LE(HEADER.signature) === SIGNATURE &&
    header.readUInt32LE(HEADER.crc32) === crc32 &&
    header.readUInt32LE(HEADER.compressedSize) === bytes &&
    header.readUInt32LE(HEADER.size) === bytes &&
    header.subarray(HEADER_BYTES).equals(name)
  );
}
