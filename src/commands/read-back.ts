/** Reading back what `render` drew. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedBody } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { NOTHING_VERIFIED, merged, type Verification, verifyChunk } from '../engine/verify-chunk.js';
import { progressBar } from './progress-bar.js';

export interface ReadBackOptions {
  spoolPath: string;
  /** For what is thrown away again. */
  folder: string;
  threads: number;
  fontDir: string | undefined;
}

/** Draws each chunk once more, with proofs, and reads these: the same bytes, at a hundredth of what reading costs. */
export async function readBack(
  { chunks, total, verifyItems: items = 0 }: CheckedBody,
  { spoolPath, folder, threads, fontDir }: ReadBackOptions,
): Promise<Verification> {
  const engine = new EngineSupervisor({ threads, chunkItems: 1, fontDir });
  const bar = progressBar('reading back', 'items');
  let verification = NOTHING_VERIFIED;
  const waiting = chunks.entries();
  const lane = async () => {
    for (const [position, chunk] of waiting) {
      const place = join(folder, `chunk-${position}`);
      const files = { segmentPath: place, indexPath: `${place}.index` };
      const path = `${place}.proofs`;
      await engine.renderChunk({ ...chunk, ...files, spoolPath, proofs: { path, items, total } });
      const read = await verifyChunk(engine, path);
      verification = merged(verification, read);
      for (const done of [...Object.values(files), path]) await rm(done, { force: true });
      bar.increment(read.verified);
    }
  };
  bar.start(items, 0);
  try {
    await Promise.all(Array.from({ length: threads }, lane));
  } finally {
    bar.stop();
    await engine.close();
  }
  return verification;
}
