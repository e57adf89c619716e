/** Reads a picture back with an independent decoder, as a phone would: in a thread of the engine process, as it takes its time. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { ScanRequest } from './engine.js';

/** What suffices for a picture that nothing happened to, in half of the time. */
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

/** True where the one code on a PNG says `text`. */
export async function scan({ png, text }: ScanRequest): Promise<boolean> {
  return reads(new Uint8Array(Buffer.from(png, 'base64')), Buffer.from(text));
}

/** True where the code on a PNG file says these bytes. */
export async function reads(png: Uint8Array, data: Uint8Array): Promise<boolean> {
  // The first picture pays for it, not the start.
  prepared ??= prepare().catch((error: unknown) => {
    // The next one tries again.
    prepared = undefined;
    throw error;
  });
  await prepared;
  return (await readsWith(PLAIN, png, data)) || readsWith(THOROUGH, png, data);
}

async function readsWith(options: ReaderOptions, png: Uint8Array, data: Uint8Array): Promise<boolean> {
  try {
    const [code, ...others] = await readBarcodes(png, options);
    // Bytes, since a reader has to guess what characters they are.
    return code !== undefined && others.length === 0 && Buffer.compare(code.bytes, data) === 0;
  } catch {
    // A decoder that failed is in no state to go on with.
    purgeZXingModule();
    prepared = undefined;
    return false;
  }
}

async function prepare(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  // Otherwise it would be fetched from elsewhere.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(path)).buffer } });
}
