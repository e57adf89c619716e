/** Reads back the proofs of a chunk: pictures with the data of their codes, in the format that `renderChunk` writes. */

import { type FileHandle, open } from 'node:fs/promises';
import type { VerifyReport, VerifyRequest } from './engine.js';
import { reads } from './scan.js';

/** Thread time of one call: other tasks wait for the thread. */
const SLICE_MS = 200;

/** Item index, length of the data, length of the picture. */
const PREFIX_BYTES = 16;

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
