/** Reads the proofs of a chunk back: pictures with what their codes should say, in the form that `renderChunk` writes. */

import { open } from 'node:fs/promises';
import type { VerifyReport, VerifyRequest } from './engine.js';
import { reads } from './scan.js';

/** How long a thread is kept: others wait for it. */
const SLICE_MS = 200;

/** Index of the item, lengths of data and picture. */
const PREFIX_BYTES = 16;

export async function verifyProofs({ path, offset }: VerifyRequest): Promise<VerifyReport> {
  const end = performance.now() + SLICE_MS;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const report: VerifyReport = { verified: 0, unread: [] };
    const take = async (length: number): Promise<Buffer> => {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      if (bytesRead < length) {
        throw new Error('A proof is cut off');
      }
      offset += length;
      return buffer;
    };
    while (offset < size) {
      if (performance.now() > end) {
        return { ...report, next: offset };
      }
      const prefix = await take(PREFIX_BYTES);
      const data = await take(prefix.readUInt32LE(8));
      const picture = await take(prefix.readUInt32LE(12));
      report.verified += 1;
      if (!(await reads(picture, data))) {
        report.unread.push(Number(prefix.readBigUInt64LE()));
      }
    }
    return report;
  } finally {
    await file.close();
  }
}
