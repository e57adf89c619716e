/** The archive that is read as one file: every range, what it holds open, and its validators. */

import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Archive } from '../../src/archive/archive.ts';
import { FileSystemStore } from '../../src/storage/file-system-store.ts';

const SIZES = [5, 1, 3_000_000, 1, 1, 70_000, 1_048_576];
const IDENTITY = { jobId: 'job', endedAt: 1_800_000_000_123, composed: 'whole' };

let folder: string;
let content: Buffer;
let archive: Archive;
const parts = SIZES.map((bytes, index) => ({ key: `jobs/a/part-${index}`, bytes }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-archive-'));
  const store = new FileSystemStore(folder);
  const contents = SIZES.map((bytes, index) => Buffer.alloc(bytes, `${index}-${'x'.repeat(index)}`));
  for (const [index, part] of parts.entries()) {
    const path = join(folder, 'local');
    await writeFile(path, contents[index]!);
    await store.adopt([{ key: part.key, path }]);
  }
  content = Buffer.concat(contents);
  archive = new Archive(store, parts, IDENTITY);
});
afterEach(() => rm(folder, { recursive: true }));

test('is as long as its parts, and reads as them in order', async () => {
  expect(archive.bytes).toBe(content.length);
  expect((await buffer(archive.read())).equals(content)).toBe(true);
});

test('any range is that range', async () => {
  const borders = SIZES.map((_, index) => SIZES.slice(0, index).reduce((sum, bytes) => sum + bytes, 0));
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
  const dropped = new Archive(store, parts, IDENTITY).read();
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

test('its tag is strong, its own, and does not tell the job’s id', () => {
  expect(archive.entityTag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  expect(new Archive(new FileSystemStore(folder), [], IDENTITY).entityTag).toBe(archive.entityTag);
  expect(new Archive(new FileSystemStore(folder), [], { ...IDENTITY, jobId: 'other' }).entityTag).not.toBe(
    archive.entityTag,
  );
  expect(archive.lastModified).toEqual(new Date(1_800_000_000_123));
});

async function readLink(path: string): Promise<string> {
  return readlink(path).catch(() => '');
}
