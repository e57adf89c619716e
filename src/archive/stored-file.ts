/** Files as a ZIP segment holds them: one behind the other, stored, each after its local file header (APPNOTE 6.3, section 4.3.7). */

/** The header without name and extra field, and where in it stands what is needed to find the bytes. */
const HEADER = { bytes: 30, size: 18, nameLength: 26, extraLength: 28 };

/** More than the header of any file here takes: names have at most 100 characters. */
export const LARGEST_HEADER_BYTES = 1_024;

export interface StoredFile {
  /** With its extension. */
  name: string;
  /** Offset of the first byte in the segment, and of the one behind the last. */
  start: number;
  end: number;
}

/** The file whose header is at `offset`; `segment` holds at least the header. */
export function storedFileAt(segment: Buffer, offset: number): StoredFile {
  const nameStart = offset + HEADER.bytes;
  const nameEnd = nameStart + segment.readUInt16LE(offset + HEADER.nameLength);
  const start = nameEnd + segment.readUInt16LE(offset + HEADER.extraLength);
  const end = start + segment.readUInt32LE(offset + HEADER.size);
  return { name: segment.toString('utf8', nameStart, nameEnd), start, end };
}
