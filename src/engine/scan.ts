/** Reads a picture back with an independent decoder, as a phone would: in a thread of the engine process, as it takes its time. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { ScanRequest } from './engine.js';

let prepared: Promise<void> | undefined;

/** True where the one code on a PNG says `text`. */
export async function scan({ png, text }: ScanRequest): Promise<boolean> {
  // The first preview pays for it, not the start.
  prepared ??= prepare().catch((error: unknown) => {
    // The next preview tries again.
    prepared = undefined;
    throw error;
  });
  await prepared;
  const [code, ...others] = await readBarcodes(new Uint8Array(Buffer.from(png, 'base64')), {
    formats: ['QRCode'],
    tryInvert: true,
  });
  return code?.text === text && others.length === 0;
}

async function prepare(): Promise<void> {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  // Otherwise it would be fetched from elsewhere.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(path)).buffer } });
}
