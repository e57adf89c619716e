/**
 * Reads pictures back with an independent decoder, as a phone would: a single one, or the proofs of a chunk. Runs in a
 * thread of the engine process, since it takes its time.
 */

import { type FileHandle, open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, purgeZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { ScanRequest, VerifyReport, VerifyRequest } from './engine.js';

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

/** Thread time of one call: other tasks wait for the thread. */
const SLICE_MS = 200;

/** Item index, length of the data, length of the picture. */
const PREFIX_BYTES = 16;

let prepared: Promise<void> | undefined;

/** True when the PNG has exactly one code, which contains `text`. */
export async function scan({ png, text }: ScanRequest): Promise<boolean> {
  return reads(new Uint8Array(Buffer.from(png, 'base64')), Buffer.from(text));
}

/** Reads proofs (pictures with the data of their codes, in the format that `renderChunk` writes) from an offset on. */
export async function verifyProofs({ path, offset }: VerifyRequest): Promise<VerifyReport> {
  const end = performance.now() + SLICE_MS;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const report = { verified: 0, unread: [] as number[], next: offset };
    while (report.next < size && performance.now() < end) {
      const { item, data, picture, bytes } = await proofAt(file, report.next);
      report.verified += 1;
      if (!(await reads(picture, data))) {
        report.unread.push(item);
      }
      report.next += bytes;
    }
    const { verified, unread } = report;
    return report.next < size ? report : { verified, unread };
  } finally {
    await file.close();
  }
}

async function proofAt(file: FileHandle, offset: number) {
  const prefix = await pieceOf(file, offset, PREFIX_BYTES);
  const [dataBytes, pictureBytes] = [prefix.readUInt32LE(8), prefix.readUInt32LE(12)];
  const rest = await pieceOf(file, offset + PREFIX_BYTES, dataBytes + pictureBytes);
  return {
    item: Number(prefix.readBigUInt64LE()),
    data: rest.subarray(0, dataBytes),
    picture: rest.subarray(dataBytes),
    bytes: PREFIX_BYTES + rest.length,
  };
}

async function pieceOf(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
  if (bytesRead < length) {
    throw new Error('A proof is cut off');
  }
  return buffer;
}

/** True when the code of a PNG file contains these bytes. */
async function reads(png: Uint8Array, data: Uint8Array): Promise<boolean> {
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
