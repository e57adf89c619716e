/** Independent readers of a job's output: yauzl for the archive, zxing for a code, resvg for an SVG. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { createCanvas } from '@napi-rs/canvas';
import { Resvg } from '@resvg/resvg-js';
import { fromBufferPromise } from 'yauzl';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } });

export interface DecodedCode {
  text: string;
  errorCorrectionLevel: string;
}

/** The archive's entries by name, in their order. */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}

/** The only code on a picture. @throws Error when there is none, or several, or one with an ECI header and `eci` is not set. */
export async function decodePng(png: Buffer, { eci = false } = {}): Promise<DecodedCode> {
  const code = await codeOn(png);
  if (code.hasECI !== eci) {
    throw new Error(`the code ${eci ? 'does not name' : 'names'} the encoding of its text`);
  }
  return { text: code.text, errorCorrectionLevel: code.ecLevel };
}

/** The texts of all codes on a picture. */
export async function textsOn(png: Buffer): Promise<string[]> {
  return (await codesOn(png)).map(({ text }) => text);
}

async function codeOn(png: Buffer): Promise<ReadResult> {
  const [code, ...others] = await codesOn(png);
  if (code === undefined || others.length > 0) {
    throw new Error(`${others.length + Number(code !== undefined)} codes were found on the picture`);
  }
  return code;
}

function codesOn(png: Buffer): Promise<ReadResult[]> {
  return readBarcodes(new Uint8Array(png), { formats: ['QRCode'], tryInvert: true });
}

/** The text of the first code that is found on a picture of four bytes for each pixel. Undefined when there is none. */
export async function decodePixels(picture: {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}): Promise<string | undefined> {
  const pixels = picture as unknown as Parameters<typeof readBarcodes>[0];
  const [code] = await readBarcodes(pixels, { formats: ['QRCode'], tryInvert: true, maxNumberOfSymbols: 1 });
  return code?.text;
}

/** Renders an SVG on white, as a browser would. */
export function rasterise(svg: Buffer): Buffer {
  return new Resvg(svg, { background: '#ffffff', font: { loadSystemFonts: false } }).render().asPng();
}

/** A disc as a PNG file, with transparent corners. */
export function discLogo(): Buffer {
  const canvas = createCanvas(200, 200);
  const context = canvas.getContext('2d');
  context.arc(100, 100, 100, 0, 2 * Math.PI);
  context.fill();
  return canvas.toBuffer('image/png');
}

/** The pixels of a PNG on white: four bytes each, row by row. */
export function pixelsOf(png: Buffer): Buffer {
  const { width, height } = sizeOf(png);
  const picture = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${picture}</svg>`;
  return new Resvg(svg, { background: '#ffffff', font: { loadSystemFonts: false } }).render().pixels;
}

/** Width and height of a PNG, from its header. */
export function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
