/** The archive that is read as one file: every range, what it holds open, and its validators. */

import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Archive, type ArchiveSources, archiveValidators } from '../../../src/jobs/archive/archive.js';
import { EngineError, type WriteHeadersRequest } from '../../../src/engine/engine.js';
import { FileRanges } from '../../../src/storage/file-range.js';
import { FileSystemStore } from '../../../src/storage/file-system-store.js';

const SIZES = [5, 1, 3_000_000, 1, 1, 70_000, 1_048_576];
const IDENTITY = { jobId: 'job', endedAt: 1_800_000_000_123 };

let folder: string;
let content: Buffer;
let sources: ArchiveSources;
let archive: Archive;
/** Number of times that headers were made, and a call that runs before each time. */
let headersMade: number;
let onHeaders: () => void;
const stored = SIZES.map((bytes, index) => ({ key: `jobs/a/part-${index}`, bytes }));
/** Headers are directories with their place before them. */
const described = [7, 2_500_000].map((bytes, index) => ({
  describes: { segmentIndexKey: `jobs/a/index-${index}`, segmentBytes: 10 + index, offset: 100 * index },
  bytes: bytes + placeOf({ segmentBytes: 10 + index, offset: 100 * index }).length,
}));
const parts = [...stored.slice(0, -1), ...described, ...stored.slice(-1)];

function placeOf({ segmentBytes, offset }: { segmentBytes: number; offset: number }): string {
  return `${segmentBytes} bytes at ${offset}: `;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-archive-'));
  const store = new FileSystemStore(folder);
  const put = async (key: string, blob: Buffer) => {
    const path = join(folder, 'local');
    await writeFile(path, blob);
    await store.adopt([{ key, path }]);
    return blob;
  };
  const contents: Buffer[] = [];
  for (const [index, part] of parts.entries()) {
    const pattern = `${index}-${'x'.repeat(index)}`;
    if ('key' in part) {
      contents.push(await put(part.key, Buffer.alloc(part.bytes, pattern)));
    } else {
      const place = Buffer.from(placeOf(part.describes));
      contents.push(place, await put(part.describes.segmentIndexKey, Buffer.alloc(part.bytes - place.length, pattern)));
    }
  }
  content = Buffer.concat(contents);
  headersMade = 0;
  onHeaders = () => undefined;
  const writeHeaders = async ({ indexPath, headersPath, ...place }: WriteHeadersRequest) => {
    headersMade += 1;
    onHeaders();
    const headers = Buffer.concat([Buffer.from(placeOf(place)), await readFile(indexPath)]);
    await writeFile(headersPath, headers);
    return headers.length;
  };
  sources = { storage: store, engine: { writeHeaders }, scratch: join(folder, 'scratch'), ranges: new FileRanges() };
  archive = new Archive(sources, parts);
});
afterEach(() => rm(folder, { recursive: true }));

test('is as long as its parts, and reads as them in order', async () => {
  expect(archive.bytes).toBe(content.length);
  expect((await buffer(archive.read())).equals(content)).toBe(true);
});

test('any range is that range', async () => {
  const borders = parts.map((_, index) => parts.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0));
  const offset = fc.oneof(
    fc.nat(content.length - 1),
    fc
      .tuple(fc.constantFrom(...borders), fc.integer({ min: -2, max: 2 }))
      .map(([border, by]) => Math.min(Math.max(border + by, 0), content.length - 1)),
  );
  await fc.assert(
    fc.asyncProperty(offset, offset, async (a, b) => {
      const [start, end] = a < b ? [a, b] : [b, a];
      expect((await buffer(archive.read(start, end))).equals(content.subarray(start, end + 1))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('holds two files open at most, and none once it is dropped', async () => {
  const openBlobs = async () => {
    const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readLink(`/proc/self/fd/${fd}`)));
    return links.filter((link) => link.startsWith(folder)).length;
  };
  const stream = archive.read();
  for await (const _ of stream) {
    expect(await openBlobs()).toBeLessThanOrEqual(2);
  }
  expect(await openBlobs()).toBe(0);

  const opened: Readable[] = [];
  const store = new FileSystemStore(folder);
  const read = store.read.bind(store);
  store.read = (...range) => {
    opened.push(read(...range));
    return opened.at(-1)!;
  };
  const dropped = new Archive({ ...sources, storage: store }, parts).read();
  await new Promise((resolve) => dropped.once('readable', resolve));
  await new Promise((resolve) => dropped.once('close', resolve).destroy());
  await new Promise(setImmediate);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('reads no further than it is asked for', async () => {
  const stream = archive.read();
  await new Promise((resolve) => stream.once('readable', resolve));
  expect(stream.readableLength).toBeLessThanOrEqual(1_048_576);
  stream.destroy();
});

test('opens a part when the one before it is nearly read', async () => {
  const begun = vi.spyOn(sources.storage, 'read');
  const start = SIZES[0]! + SIZES[1]!;
  const opened: [read: number, parts: number][] = [];
  let read = 0;
  for await (const chunk of archive.read(start, start + SIZES[2]!)) {
    read += (chunk as Buffer).length;
    opened.push([read, begun.mock.calls.length]);
  }
  expect(opened[0]).toEqual([1_048_576, 1]);
  expect(opened.findLast(([bytes]) => bytes < SIZES[2]!)?.[1]).toBe(2);
});

test('a part that is missing or short breaks the download off where it is met', async () => {
  await rm(join(folder, 'jobs/a/part-3'));
  let received = 0;
  const read = async () => {
    for await (const chunk of archive.read()) {
      received += (chunk as Buffer).length;
    }
  };
  await expect(read()).rejects.toThrow('ENOENT');
  expect(received).toBe(SIZES[0]! + SIZES[1]! + SIZES[2]!);
  await writeFile(join(folder, 'jobs/a/part-3'), '');
  await expect(read()).rejects.toThrow('ends at byte 0');
});

test('headers are made when they are read, and nothing of them is left', async () => {
  const before = headersOffset();
  await buffer(archive.read(0, before - 1));
  expect(headersMade).toBe(0);
  await buffer(archive.read(before, before));
  expect(headersMade).toBe(1);
  await buffer(archive.read());
  expect(headersMade).toBe(3);
  expect(await readdir(join(folder, 'scratch'))).toEqual([]);

  const dropped = archive.read(before + described[0]!.bytes);
  await new Promise((resolve) => dropped.once('readable', resolve));
  await new Promise((resolve) => dropped.once('close', resolve).destroy());
  await expect.poll(() => readdir(join(folder, 'scratch'))).toEqual([]);
});

test('headers that the engine cannot make end the read', async () => {
  onHeaders = () => {
    throw new EngineError('corrupt_index', 'not what was written');
  };
  headersMade = 0;
  await expect(buffer(archive.read(headersOffset(), headersOffset()))).rejects.toThrow('not what was written');
  expect(headersMade).toBe(1);
  expect(await readdir(join(folder, 'scratch'))).toEqual([]);
});

test('its tag is strong, its own, and does not tell the job’s id', () => {
  const { etag, lastModified } = archiveValidators(IDENTITY);
  expect(etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  expect(archiveValidators({ ...IDENTITY, jobId: 'other' }).etag).not.toBe(etag);
  expect(lastModified).toEqual(new Date(1_800_000_000_123));
});

/** Offset of the first headers. */
function headersOffset(): number {
  return content.length - parts.at(-1)!.bytes - described[0]!.bytes - described[1]!.bytes;
}

async function readLink(path: string): Promise<string> {
  return readlink(path).catch(() => '');
}
