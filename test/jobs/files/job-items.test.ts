/** Items of a job that are looked for: in the chunks that may have them, each read once. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findItems, ITEMS_SEARCHED } from '../../../src/jobs/files/job-items.js';
import type { Sources } from '../../../src/jobs/files/rendered-items.js';
import type { ChunkPlace } from '../../../src/jobs/chunk-store.js';
import { EventLoopTurns } from '../../../src/platform/concurrency.js';
import { FileRanges } from '../../../src/storage/file-range.js';

const CHUNK_ITEMS = 10_000;
const CHUNKS = 15;
const TOTAL = CHUNKS * CHUNK_ITEMS;

let scratch: string;
let written: number[];
let sources: Parameters<typeof findItems>[0];
const unreadItems = new Set([3, 20_001, 20_003, 149_999]);

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'items-'));
  written = [];
  sources = {
    scratch,
    ranges: new FileRanges(),
    turns: new EventLoopTurns(),
    storage: { materialise: (_: string, path: string) => Promise.resolve(path) },
    engine: {
      writeManifest: async ({ chunk: { range }, manifestPath }: Parameters<Sources['engine']['writeManifest']>[0]) => {
        written.push(range.firstItem);
        const lines = Array.from({ length: range.itemCount }, (_, place) => {
          const index = range.firstItem + place;
          const files = [{ name: `${index}.png`, bytes: 1 }];
          const reading = unreadItems.has(index) ? { unread: true } : { unusedErrorCorrection: 1 };
          return `${JSON.stringify({ index, data: ',"unread":true', status: 'completed', files, ...reading })}\n`;
        }).join('');
        await writeFile(manifestPath, lines);
        return lines.length;
      },
    },
  } as unknown as typeof sources;
});
afterEach(() => rm(scratch, { recursive: true }));

const chunks = Array.from(
  { length: CHUNKS },
  (_, position): ChunkPlace => ({
    position,
    attempt: 1,
    firstItem: position * CHUNK_ITEMS,
    itemCount: CHUNK_ITEMS,
    spoolOffset: 0,
    spoolBytes: 1,
    headerBytes: 1,
    jobSpoolBytes: 1,
    segmentBytes: 1,
    readingsBytes: position === 1 ? 0 : 1,
  }),
);

it('reads the chunks alone that have an unread code, where all are listed', async () => {
  const listed = [...unreadItems];
  const page = await findItems(sources, 'job', chunks, { from: 0, limit: 2, unread: { listed, count: 4 } });
  expect(page.items.map(({ index }) => index)).toEqual([3, 20_001]);
  const next = await findItems(sources, 'job', chunks, {
    from: page.next,
    limit: 9,
    unread: { listed, count: 4 },
  });
  expect(next.items.map(({ index }) => index)).toEqual([20_003, 149_999]);
  expect(next.next).toBe(TOTAL);
  expect(written).toEqual([0, 20_000, 20_000, 140_000]);
});

it('looks at so many codes where not all are listed, without the chunks that were not read back', async () => {
  const query = { limit: 9, unread: { listed: [3], count: 200 } };
  const page = await findItems(sources, 'job', chunks, { from: 0, ...query });
  expect(page.items.map(({ index }) => index)).toEqual([3, 20_001, 20_003]);
  expect(page.next).toBe(ITEMS_SEARCHED + CHUNK_ITEMS);
  const next = await findItems(sources, 'job', chunks, { from: page.next, ...query });
  expect(next.items.map(({ index }) => index)).toEqual([149_999]);
});

it('reads a chunk once for all items in it that are asked for', async () => {
  const only = [149_999, 20_002, 20_001, 5];
  const { items } = await findItems(sources, 'job', chunks, { from: 0, only, limit: 4 });
  expect(items.map(({ index }) => index)).toEqual([5, 20_001, 20_002, 149_999]);
  expect(written).toEqual([0, 20_000, 140_000]);
});
