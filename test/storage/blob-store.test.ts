/** What every blob store does, held against the file system store. */

import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { READ_BYTES } from '../../src/storage/file-range.ts';
import { FileSystemStore } from '../../src/storage/file-system-store.ts';
import { sharedSync } from '../../src/shared-sync.ts';

/** A folder on another device than the temporary folder, where there is one. */
const otherDevice = (await isOtherDevice('/dev/shm')) ? '/dev/shm' : undefined;

describe('the file system store', () => {
  let folder: string;
  let store: FileSystemStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    store = new FileSystemStore(join(folder, 'blobs'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  let written = 0;
  const localFile = async (content: string | Buffer): Promise<string> => {
    written += 1;
    const path = join(folder, `local-${written}`);
    await writeFile(path, content);
    return path;
  };
  const put = async (key: string, content: string | Buffer) => store.adopt([{ key, path: await localFile(content) }]);

  test('adopts files under their keys, and they are gone from where they were', async () => {
    const [first, second] = [await localFile('one'), await localFile('second')];
    await store.adopt([
      { key: 'jobs/a/spool', path: first },
      { key: 'jobs/a/deeper/tail', path: second },
    ]);
    expect(await store.size('jobs/a/spool')).toBe(3);
    expect(await store.size('jobs/a/deeper/tail')).toBe(6);
    expect(await readdir(folder)).toEqual(['blobs']);
    expect((await stat(await store.materialise('jobs/a/spool'))).size).toBe(3);
  });

  test('adopting again after a crash is fine, replacing too; a file that never was is an error', async () => {
    const path = await localFile('one');
    await store.adopt([{ key: 'jobs/a/spool', path }]);
    await store.adopt([{ key: 'jobs/a/spool', path }]);
    await put('jobs/a/spool', 'other');
    expect((await buffer(store.read('jobs/a/spool', 0, 4))).toString()).toBe('other');
    await expect(store.adopt([{ key: 'jobs/b/spool', path }])).rejects.toThrow('ENOENT');
  });

  test.runIf(otherDevice !== undefined)('copies a file from another device whole', async () => {
    const content = Buffer.alloc(3 * READ_BYTES + 17, 'x');
    const path = await mkdtemp(`${otherDevice}/qrpress-`).then((shared) => join(shared, 'file'));
    await writeFile(path, content);
    await store.adopt([{ key: 'jobs/a/tail', path }]);
    expect((await buffer(store.read('jobs/a/tail', 0, content.length - 1))).equals(content)).toBe(true);
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(await readdir(join(folder, 'blobs', 'jobs', 'a'))).toEqual(['tail']);
    await rm(join(path, '..'), { recursive: true });
  });

  test('reads any range', async () => {
    const content = Buffer.from(Array.from({ length: 2 * READ_BYTES + 5 }, (_, index) => (index * 31) % 251));
    await put('a', content);
    for (const [start, end] of [
      [0, 0],
      [0, content.length - 1],
      [READ_BYTES - 1, READ_BYTES],
      [content.length - 1, content.length - 1],
      [7, 2 * READ_BYTES + 1],
    ] as const) {
      expect((await buffer(store.read('a', start, end))).equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  test('a blob that is shorter than was asked for, or absent, ends the stream with an error', async () => {
    await put('a', 'four');
    await expect(buffer(store.read('a', 0, 4))).rejects.toThrow('ends at byte 4');
    await expect(buffer(store.read('b', 0, 0))).rejects.toThrow('ENOENT');
  });

  test('a stream that is dropped closes its file', async () => {
    await put('a', Buffer.alloc(8 * READ_BYTES));
    const before = await openFiles();
    const streams = Array.from({ length: 20 }, () => store.read('a', 0, 8 * READ_BYTES - 1));
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('data', resolve))));
    expect((await openFiles()) - before).toBe(20);
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve).destroy())));
    expect(await openFiles()).toBe(before);
  });

  test('lists and deletes what is below a prefix, and nothing beside it', async () => {
    for (const key of ['jobs/a/spool', 'jobs/a/tail', 'jobs/ab/tail', 'jobs/b/tail']) {
      await put(key, 'x');
    }
    expect((await store.list('jobs')).toSorted()).toEqual(['a', 'ab', 'b']);
    expect((await store.list('jobs/a')).toSorted()).toEqual(['spool', 'tail']);
    await store.deleteAll('jobs/a');
    await store.deleteAll('jobs/never');
    expect((await store.list('jobs')).toSorted()).toEqual(['ab', 'b']);
    expect(await store.list('jobs/a')).toEqual([]);
    expect(await store.size('jobs/a/tail')).toBeUndefined();
    await expect(store.materialise('jobs/a/tail')).rejects.toThrow('ENOENT');
  });

  test('takes no key that leads elsewhere', async () => {
    const path = await localFile('x');
    for (const key of [
      '',
      '/',
      '/a',
      'a/',
      '..',
      '../a',
      'a/../b',
      'a//b',
      '.hidden',
      'a/.b',
      'a\\b',
      'a b',
      'é',
      'a\0',
      'a\n',
    ]) {
      await expect(store.adopt([{ key, path }])).rejects.toThrow(RangeError);
      expect(() => store.read(key, 0, 0)).toThrow(RangeError);
      await expect(store.deleteAll(key)).rejects.toThrow(RangeError);
    }
    expect(await readdir(folder)).toEqual([path.slice(folder.length + 1)]);
  });

  test('can be written to, unless it cannot, and leaves no trace of the look', async () => {
    await store.check();
    expect(await readdir(join(folder, 'blobs'))).toEqual([]);
    await expect(new FileSystemStore(await localFile('a file')).check()).rejects.toThrow('EEXIST');
  });
});

test('a shared sync serves everyone who asked before it began, and nobody who asked after', async () => {
  const runs: (() => void)[] = [];
  const sync = sharedSync(() => new Promise<void>((resolve) => runs.push(resolve)));
  const done: string[] = [];
  const ask = (name: string) => sync().then(() => done.push(name));
  const asked = [ask('first'), ask('second'), ask('third')];
  expect(runs).toHaveLength(1);
  runs[0]!();
  await asked[0];
  expect(done).toEqual(['first']);
  await new Promise(setImmediate);
  expect(runs).toHaveLength(2);
  asked.push(ask('fourth'));
  runs[1]!();
  await Promise.all(asked.slice(0, 3));
  await new Promise(setImmediate);
  expect(runs).toHaveLength(3);
  runs[2]!();
  await Promise.all(asked);
  expect(done).toEqual(['first', 'second', 'third', 'fourth']);
});

test('a shared sync that fails tells those it served, and the next may succeed', async () => {
  let attempts = 0;
  const sync = sharedSync(async () => {
    attempts += 1;
    if (attempts === 1) {
      throw new Error('EIO');
    }
  });
  const outcomes = await Promise.allSettled([sync(), sync()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}

async function isOtherDevice(path: string): Promise<boolean> {
  const other = await stat(path).catch(() => undefined);
  return other !== undefined && other.dev !== (await stat(tmpdir())).dev;
}
