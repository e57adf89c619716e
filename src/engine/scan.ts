/**
 * Reads pictures back with an independent decoder, as a phone would: a single one, or the proofs of a chunk. Runs in a
 * thread of the engine process, since it takes its time.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { native } from './addon.js';
import type { ScanReport, ScanRequest, VerifyReport, VerifyRequest } from './engine.js';

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

export async function scan({ png, text, pixelsPerModule, quietZoneModules }: ScanRequest): Promise<ScanReport> {
  const picture = Buffer.from(png, 'base64');
  const unusedThousandths = native.readPicture(picture, text, pixelsPerModule, quietZoneModules);
  return unusedThousandths === null
    ? { reads: false }
    : { reads: await reads(new Uint8Array(picture), Buffer.from(text)), unusedThousandths };
}

/** Reads proofs (pictures with the data of their codes, in the format that `readBack` writes) from an offset on, for so many milliseconds. */
export async function verifyProofs(
  { path, offset, most = Number.POSITIVE_INFINITY }: VerifyRequest,
  timeMs: number,
): Promise<VerifyReport> {
  const end = performance.now() + timeMs;
  const unread: number[] = [];
  let next = offset;
  for (let count = 0; count === 0 || (count < most && performance.now() < end); count += 1) {
    const proof = native.readProof(path, next);
    if (proof === null) {
      return { unread };
    }
    if (most === 0 || !(await readsOneOf(proof.pictures, proof.data))) {
      unread.push(proof.item);
    }
    next = proof.end;
  }
  return { unread, next };
}

/** A transparent picture is there over white and over black. */
async function readsOneOf(pictures: readonly Uint8Array[], data: Uint8Array): Promise<boolean> {
  for (const picture of pictures) {
    if (await reads(picture, data)) {
      return true;
    }
  }
  return false;
}

/** True when the code of a PNG file contains these bytes. */
async function reads(png: Uint8Array, data: Uint8Array): Promise<boolean> {
  return (await readsWith(PLAIN, png, data)) || readsWith(THOROUGH, png, data);
}

async function readsWith(options: ReaderOptions, png: Uint8Array, data: Uint8Array): Promise<boolean> {
  // Loaded for the first picture and not at start-up, and again where a decoder has failed.
  prepared ??= prepare().catch((error: unknown) => {
    // The next picture tries again.
    prepared = undefined;
    throw error;
  });
  await prepared;
  try {
    const [code, ...others] = await readBarcodes(png, options);
    // A file that is no picture is a code that is not valid, without bytes.
    // Compares bytes: a reader can only guess their character set.
    return code?.isValid === true && others.length === 0 && Buffer.compare(code.bytes, data) === 0;
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
