/** Several ranges of a representation as one body, `multipart/byteranges` (RFC 9110, section 14.6). */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.js';

/** What the ranges are taken from. */
export interface Representation {
  bytes: number;
  mediaType: string;
  /** Bytes `start` to `end`, both inclusive. */
  read: (start: number, end: number) => Readable;
}

export interface MultipartBody {
  mediaType: string;
  bytes: number;
  /** Opens nothing before it is read, and one range at a time. */
  read: () => Readable;
}

export function multipartRanges(representation: Representation, ranges: readonly ByteRange[]): MultipartBody {
  // 144 random bits are in no archive.
  const boundary = randomBytes(18).toString('hex');
  const parts = ranges.map((range, index) => ({ ...range, head: head(representation, range, boundary, index) }));
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    mediaType: `multipart/byteranges; boundary=${boundary}`,
    bytes: parts.reduce((sum, part) => sum + part.head.length + part.end - part.start + 1, end.length),
    read: () => Readable.from(chunks(representation, parts, end), { objectMode: false, highWaterMark: 1 }),
  };
}

function head(
  { bytes, mediaType }: Representation,
  { start, end }: ByteRange,
  boundary: string,
  index: number,
): Buffer {
  const lines = [
    `${index === 0 ? '' : '\r\n'}--${boundary}`,
    `Content-Type: ${mediaType}`,
    `Content-Range: ${contentRange({ start, end }, bytes)}`,
    '',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** The value of `Content-Range`. */
export function contentRange({ start, end }: ByteRange, bytes: number): string {
  return `bytes ${start}-${end}/${bytes}`;
}

async function* chunks(
  representation: Representation,
  parts: readonly (ByteRange & { head: Buffer })[],
  last: Buffer,
): AsyncGenerator<Buffer> {
  for (const { head: lines, start, end } of parts) {
    yield lines;
    for await (const chunk of representation.read(start, end)) {
      yield chunk as Buffer;
    }
  }
  yield last;
}
