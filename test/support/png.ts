/** PNG files for logos: drawn from SVG, and padded to any length. */

import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Bytes of a chunk without its data: length, type and CRC. */
const CHUNK_FRAME = 12;

/** Draws `size` × `size` user units as a PNG file of so many pixels. */
export function paintedPng(size: number, drawing: string): Buffer {
  return new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${drawing}</svg>`)
    .render()
    .asPng();
}

/** A black square of one bit per pixel: the smallest file of a large picture. */
export function blackPng(size: number): Buffer {
  return squarePng(size, Buffer.alloc(size * rowBytes(size)));
}

/** A square of one bit per pixel, black or white at random. */
export function noisePng(size: number): Buffer {
  const rows = randomBytes(size * rowBytes(size));
  for (let y = 0; y < size; y += 1) {
    // The row's filter: none.
    rows[y * rowBytes(size)] = 0;
  }
  return squarePng(size, rows);
}

function squarePng(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.writeUInt8(1, 8);
  const data = deflateSync(rows, { level: 1 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function rowBytes(size: number): number {
  return 1 + Math.ceil(size / 8);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, crc]);
}

/** Pads a picture to `bytes` bytes with a private chunk that readers skip. */
export function lengthened(png: Buffer, bytes: number): Buffer {
  const padding = chunk('faKe', Buffer.alloc(bytes - png.length - CHUNK_FRAME));
  // IEND, the last chunk, has no data.
  const end = png.length - CHUNK_FRAME;
  return Buffer.concat([png.subarray(0, end), padding, png.subarray(end)]);
}

export function dataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}
