/**
 * Files in a ZIP segment: uncompressed, one after the other, each behind its local file header (APPNOTE 6.3, section
 * 4.3.7).
 */

/** Size of a local file header without name and extra field, and the offsets of the fields used here. */
const HEADER = { bytes: 30, size: 18, nameLength: 26, extraLength: 28 };

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
  const nameStart = offset + HEADER.bytes;
  const nameEnd = nameStart + segment.readUInt16LE(offset + HEADER.nameLength);
  const start = nameEnd + segment.readUInt16LE(offset + HEADER.extraLength);
  const end = start + segment.readUInt32LE(offset + HEADER.size);
  return { name: segment.toString('utf8', nameStart, nameEnd), start, end };
}
