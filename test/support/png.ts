/** PNG files for logos: painted from SVG, and made as long as a test wants them. */

import { crc32 } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';

/** Bytes of a chunk beside its data: length, type, CRC. */
const CHUNK_FRAME = 12;

/** The drawing of `size` × `size` user units as a PNG file of so many pixels. */
export function paintedPng(size: number, drawing: string): Buffer {
  return new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${drawing}</svg>`)
    .render()
    .asPng();
}

/** The same picture in a file of `bytes` bytes: a private chunk that readers skip takes the rest. */
export function lengthened(png: Buffer, bytes: number): Buffer {
  const data = Buffer.alloc(bytes - png.length - CHUNK_FRAME);
  const typed = Buffer.concat([Buffer.from('faKe'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(typed));
  // IEND, the last chunk, has no data.
  const end = png.length - CHUNK_FRAME;
  return Buffer.concat([png.subarray(0, end), length, typed, crc, png.subarray(end)]);
}

export function dataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}
