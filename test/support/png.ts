/** PNG files for logos: drawn from SVG, and padded to any length. */

import { crc32 } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';

/** Bytes of a chunk without its data: length, type and CRC. */
const CHUNK_FRAME = 12;

/** Draws `size` × `size` user units as a PNG file of so many pixels. */
export function paintedPng(size: number, drawing: string): Buffer {
  return new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${drawing}</svg>`)
    .render()
    .asPng();
}

/** Pads a picture to `bytes` bytes with a private chunk that readers skip. */
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
