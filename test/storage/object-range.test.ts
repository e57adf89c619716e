/** Many readers of objects that begin quickly and then stand still: what is read ahead for all of them is bounded. */

import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ObjectRange, ReadAhead } from '../../src/storage/object-range.js';

const MEGABYTE = 1024 * 1024;

/** Downloads of a process, each with the next part open as well. */
const READERS = 1_000;

/** The content of every piece: one buffer for all, so that the test itself needs no memory. */
const PIECE = Buffer.alloc(64 * 1024);

/** Shared by all readers. */
const readAhead = new ReadAhead();

function objectOf(bytes: number): ObjectRange {
  return new ObjectRange(0, bytes - 1, {
    name: 'object',
    isFileReader: false,
    readAhead,
    attempts: 1,
    fetch: async (start, end) => ({
      entityTag: undefined,
      objectBytes: bytes,
      body: Readable.from(piecesOf(end + 1 - start), { objectMode: false }),
    }),
  });
}

function* piecesOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE.length) {
    yield PIECE.subarray(0, Math.min(left, PIECE.length));
  }
}

/** Reads so many bytes as they come, and no more. */
async function take(range: Readable, bytes: number): Promise<void> {
  for (let taken = 0; taken < bytes; ) {
    const piece = range.read() as Buffer | null;
    taken += piece?.length ?? 0;
    if (piece === null) {
      await once(range, 'readable');
    }
  }
}

it('holds at most 400 MB for a thousand readers', { timeout: 60_000 }, async () => {
  const readers: ObjectRange[] = [];
  try {
    for (let reader = 0; reader < READERS; reader += 1) {
      const range = objectOf(200 * MEGABYTE);
      readers.push(range);
      await take(range, reader < 200 ? 20 * MEGABYTE : MEGABYTE);
    }
    const held = () => readers.reduce((sum, { readableLength }) => sum + readableLength, 0);
    // Whatever is on its way comes in, until nothing has come for some turns of the event loop.
    for (let [before, turns] = [-1, 0]; turns < 20; ) {
      await setImmediate();
      [before, turns] = held() === before ? [before, turns + 1] : [held(), 0];
    }
    expect(held() / MEGABYTE).toBeLessThan(400);
  } finally {
    for (const range of readers) range.destroy();
  }
});

it('reads the whole for each of many readers, in small pieces', async () => {
  const readers = Array.from({ length: 300 }, () => objectOf(MEGABYTE + 1));
  await Promise.all(readers.map((range) => take(range, MEGABYTE + 1)));
  for (const range of readers) range.destroy();
});
