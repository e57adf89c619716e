/** Many ranges of files at once: they share the event loop with everybody else. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FileRanges } from '../../src/storage/file-range.js';

const READERS = 100;

it('passes on one buffer in a turn of the event loop, however many readers there are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-ranges-'));
  try {
    const path = join(folder, 'file');
    const bytes = 1_000_000;
    await writeFile(path, Buffer.alloc(bytes, 'a'));
    const ranges = new FileRanges();
    let [inTurn, most, read] = [0, 0, 0];
    const reading = new Set<number>();
    const readAll = async (reader: number) => {
      reading.add(reader);
      for await (const buffer of ranges.read(path, 0, bytes - 1)) {
        read += buffer.length;
        inTurn += 1;
      }
      reading.delete(reader);
    };
    const readers = Array.from({ length: READERS }, (_, reader) => readAll(reader));
    while (reading.size > 0) {
      await nextTurn();
      most = Math.max(most, inTurn);
      inTurn = 0;
    }
    await Promise.all(readers);
    expect(read).toBe(READERS * bytes);
    // A buffer that comes before this loop's turn, and one behind it.
    expect(most).toBeLessThanOrEqual(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
