/**
 * Reads a picture back with an independent decoder, as a phone would. Runs in a thread of the engine process, since it
 * takes its time.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { ScanRequest } from './engine.js';

/** Options that suffice for an undistorted picture, in half the time. */
const PLAIN: ReaderOptions = {
  formats: ['QRCode'],
  tryInvert: true,
  tryHarder: false,
  tryRotate: false,
  tryDownscale: false,
  maxNumberOfSymbols: 1,
};

const THOROUGH: ReaderOptions = { formats: ['QRCode'], tryInvert: true };

let prepared: Promise<void> | undefined;

/** True when the PNG has exactly one code, which contains `text`. */
export async function scan({ png, text }: ScanRequest): Promise<boolean> {
  return reads(new Uint8Array(Buffer.from(png, 'base64')), Buffer.from(text));
}

/** True when the code of a PNG file contains these bytes. */
export async function reads(png: Uint8Array, data: Uint8Array): Promise<boolean> {
  // Loaded for the first picture and not at start-up.
  prepared ??= prepare().catch((error: unknown) => {
    // The next picture tries again.
    prepared = undefined;
    throw error;
  });
  await prepared;
  return (await readsWith(PLAIN, png, data)) || readsWith(THOROUGH, png, data);
}

async function readsWith(options: ReaderOptions, png: Uint8Array, data: Uint8Array): Promise<boolean> {
  try {
    const [code, ...others] = await readBarcodes(png, options);
    // Compares bytes: a reader can only guess their character set.
    return code !== undefined && others.length === 0 && Buffer.compare(code.bytes, data) === 0;
  } catch {
    // A decoder that has failed may be in an invalid state.
    purgeZXingModule();
    prepared = undefined;
    return false;
  }
}

async function prepare(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  // By default the library would download the file.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(path)).buffer } });
}
