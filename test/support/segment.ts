/** Changes the files of a segment and of its index, so that their checksums are right. */

import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Bytes of a local file header (APPNOTE 6.3, section 4.3.7). */
const HEADER_BYTES = 30;

/** Changes the files one by one; `change` gets the number of each. Returns the length of the index. */
export async function changeSegment(
  { segmentPath, indexPath }: { segmentPath: string; indexPath: string },
  change: (file: number, content: Buffer) => Buffer | string,
): Promise<number> {
  const segment = await readFile(segmentPath);
  const entries: Buffer[] = [];
  const records: Buffer[] = [];
  let start = 0;
  while (start < segment.length) {
    const nameEnd = start + HEADER_BYTES + segment.readUInt16LE(start + 26);
    const end = nameEnd + segment.readUInt32LE(start + 18);
    const header = Buffer.from(segment.subarray(start, nameEnd));
    const content = Buffer.from(change(entries.length, segment.subarray(nameEnd, end)));
    header.writeUInt32LE(crc32(content), 14);
    header.writeUInt32LE(content.length, 18);
    header.writeUInt32LE(content.length, 22);
    entries.push(Buffer.concat([header, content]));
    // Size, CRC-32, length of the name, name.
    records.push(
      header.subarray(18, 22),
      header.subarray(14, 18),
      header.subarray(26, 28),
      header.subarray(HEADER_BYTES),
    );
    start = end;
  }
  await writeFile(segmentPath, Buffer.concat(entries));
  const index = Buffer.concat(records);
  await writeFile(indexPath, index);
  return index.length;
}
