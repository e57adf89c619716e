/** Behaviour of every blob store: the test of an adapter runs this suite on it. */

import { createHash, randomBytes } from 'node:crypto';
import { access, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore, ListedBlob } from '../../src/storage/blob-store.js';
import { namesBelow } from '../support/names-below.js';
import { IS_NIGHTLY } from '../support/nightly.js';

export interface OpenedStore {
  store: BlobStore;
  /** Resolves when it holds nothing open any more: no file, no request; fails the test when it does for long. */
  idle: () => Promise<void>;
  /** Keys of all that lies in it, also of what is no blob. */
  traces: () => Promise<string[]>;
  /** Removes all that it left. */
  remove: () => Promise<void>;
}

const MEBIBYTE = 1024 * 1024;

/** Larger than what any adapter reads or uploads in one piece. */
const BIG_BYTES = 50 * MEBIBYTE + 12_345;

/** An adapter that needs more than one answer to list so many. */
const MANY = 1_005;

/** @param openStore gives a store of its own to each test, empty */
export function conformance(openStore: (folder: string) => Promise<OpenedStore>): void {
  let folder: string;
  let opened: OpenedStore;
  let store: BlobStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    opened = await openStore(folder);
    store = opened.store;
  });
  afterEach(async () => {
    await store.close();
    await opened.remove();
    await rm(folder, { recursive: true });
  });

  let written = 0;
  const localFile = async (content: string | Buffer): Promise<string> => {
    written += 1;
    const path = join(folder, `local-${written}`);
    await writeFile(path, content);
    return path;
  };
  const put = async (key: string, content: string | Buffer) => store.adopt([{ key, path: await localFile(content) }]);
  const readWhole = (key: string, bytes: number) => buffer(store.read(key, 0, bytes - 1));
  const scratch = () => join(folder, 'scratch');

  describe('adopts', () => {
    test('files under their keys, and they are gone from where they were', async () => {
      const [first, second] = [await localFile('one'), await localFile('second')];
      await store.adopt([
        { key: 'jobs/a/spool', path: first },
        { key: 'jobs/a/deeper/end', path: second },
      ]);
      expect(await store.size('jobs/a/spool')).toBe(3);
      expect(await store.size('jobs/a/deeper/end')).toBe(6);
      await expect(access(first)).rejects.toThrow('ENOENT');
      await expect(access(second)).rejects.toThrow('ENOENT');
    });

    test('nothing at all', async () => {
      await store.adopt([]);
      expect(await opened.traces()).toEqual([]);
    });

    test('again after a crash; what was left of several is moved', async () => {
      const [gone, left] = [await localFile('one'), await localFile('two')];
      await store.adopt([{ key: 'jobs/a/spool', path: gone }]);
      await store.adopt([
        { key: 'jobs/a/spool', path: gone },
        { key: 'jobs/a/end', path: left },
      ]);
      expect((await readWhole('jobs/a/spool', 3)).toString()).toBe('one');
      expect((await readWhole('jobs/a/end', 3)).toString()).toBe('two');
    });

    test('no file that never was', async () => {
      await expect(store.adopt([{ key: 'jobs/b/spool', path: join(folder, 'never') }])).rejects.toThrow('ENOENT');
      expect(await store.size('jobs/b/spool')).toBeUndefined();
    });

    test('another blob in place of one of that key', async () => {
      await put('jobs/a/spool', 'a long first one');
      await put('jobs/a/spool', 'other');
      expect(await store.size('jobs/a/spool')).toBe(5);
      expect((await readWhole('jobs/a/spool', 5)).toString()).toBe('other');
    });

    const many = IS_NIGHTLY ? [48 * MEBIBYTE, BIG_BYTES] : [];
    test.for([0, 1, 8 * MEBIBYTE - 1, 8 * MEBIBYTE, 8 * MEBIBYTE + 1, 48 * MEBIBYTE + 1, ...many])(
      '%i bytes',
      async (bytes) => {
        const content = randomBytes(bytes);
        await put('a', content);
        expect(await store.size('a')).toBe(bytes);
        expect(digest(await readFile(await store.materialise('a', scratch())))).toBe(digest(content));
        if (bytes > 0) {
          expect(digest(await readWhole('a', bytes))).toBe(digest(content));
        }
      },
    );

    test('one of several files that are to have the same key at once', async () => {
      const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(MEBIBYTE, `${index}`));
      await Promise.all(contents.map((content) => put('a', content)));
      const found = digest(await readWhole('a', MEBIBYTE));
      expect(contents.map(digest)).toContain(found);
      expect(await opened.traces()).toEqual(['a']);
    });
  });

  describe('reads', () => {
    test('any range', async () => {
      const content = randomBytes(BIG_BYTES);
      await put('a', content);
      for (const [start, end] of [
        [0, 0],
        [MEBIBYTE - 1, MEBIBYTE],
        [BIG_BYTES - 1, BIG_BYTES - 1],
        [7, 2 * MEBIBYTE + 1],
        [5, 15 * MEBIBYTE],
      ] as const) {
        expect(digest(await buffer(store.read('a', start, end)))).toBe(digest(content.subarray(start, end + 1)));
      }
    });

    test('many ranges at once', async () => {
      const content = randomBytes(2 * MEBIBYTE);
      await put('a', content);
      const starts = Array.from({ length: 100 }, (_, index) => index * 20_000);
      const found = await Promise.all(starts.map((start) => buffer(store.read('a', start, start + 9_999))));
      expect(found.map(digest)).toEqual(starts.map((start) => digest(content.subarray(start, start + 10_000))));
    });

    test('no more than there is: the stream ends with an error', async () => {
      await put('a', 'four');
      await expect(buffer(store.read('a', 0, 4))).rejects.toThrow(/ends at byte 4, before byte 4$/);
      await expect(buffer(store.read('a', 2, 9))).rejects.toThrow(/ends at byte 4, before byte 9$/);
      await expect(buffer(store.read('a', 100, 101))).rejects.toThrow('before byte 101');
      await expect(buffer(store.read('b', 0, 0))).rejects.toThrow(/ENOENT|NoSuchKey/);
    });

    test('the blob that was there when it began, also when another takes its place, or ends with an error', async () => {
      const [first, second] = [Buffer.alloc(BIG_BYTES, 'first'), Buffer.alloc(BIG_BYTES, 'other')];
      await put('a', first);
      const stream = store.read('a', 0, BIG_BYTES - 1);
      await readable(stream);
      await put('a', second);
      const found = await buffer(stream).then(digest, () => 'an error');
      expect([digest(first), 'an error']).toContain(found);
      expect(digest(await readWhole('a', BIG_BYTES))).toBe(digest(second));
    });

    test('for a reader who goes away, and holds nothing open then', async () => {
      await put('a', Buffer.alloc(BIG_BYTES));
      const streams = Array.from({ length: 20 }, () => store.read('a', 0, BIG_BYTES - 1));
      const [unread, ...read] = streams;
      await Promise.all(read.map(readable));
      await Promise.all(
        [unread!, ...read].map((stream) => new Promise((resolve) => stream.once('close', resolve).destroy())),
      );
      await opened.idle();
    });

    test('for hundreds of readers who do not read on, and for another one all the same', async () => {
      await put('slow', Buffer.alloc(3 * MEBIBYTE));
      await put('quick', 'content');
      const slow = Array.from({ length: 200 }, () => store.read('slow', 0, 3 * MEBIBYTE - 1));
      await Promise.all(slow.map(readable));
      expect((await readWhole('quick', 7)).toString()).toBe('content');
      await put('later', 'written');
      expect(await store.size('later')).toBe(7);
      for (const stream of slow) {
        stream.destroy();
      }
      await opened.idle();
    });
  });

  describe('materialises', () => {
    test('ranges at their own offsets', async () => {
      const content = randomBytes(3 * MEBIBYTE);
      await put('a', content);
      const ranges = [
        { offset: 0, bytes: 100 },
        { offset: 5, bytes: 0 },
        { offset: 2 * MEBIBYTE + 1, bytes: MEBIBYTE / 2 },
      ];
      const file = await open(await store.materialise('a', scratch(), ranges));
      try {
        for (const { offset, bytes } of ranges) {
          const found = Buffer.alloc(bytes);
          expect((await file.read(found, 0, bytes, offset)).bytesRead).toBe(bytes);
          expect(digest(found)).toBe(digest(content.subarray(offset, offset + bytes)));
        }
      } finally {
        await file.close();
      }
    });

    test('the whole of a blob, be it big or empty', async () => {
      const content = randomBytes(BIG_BYTES);
      await put('a', content);
      await put('b', '');
      expect(digest(await readFile(await store.materialise('a', scratch())))).toBe(digest(content));
      expect(await readFile(await store.materialise('b', scratch()), 'utf8')).toBe('');
    });

    test('what stands in the way of a first attempt', async () => {
      await put('a', 'short');
      await writeFile(scratch(), 'what an attempt left behind');
      expect(await readFile(await store.materialise('a', scratch()), 'utf8')).toBe('short');
    });

    test('nothing that is absent', async () => {
      await expect(store.materialise('a', scratch())).rejects.toThrow(/ENOENT|NoSuchKey/);
      await expect(store.materialise('a', scratch(), [{ offset: 0, bytes: 1 }])).rejects.toThrow(/ENOENT|NoSuchKey/);
    });
  });

  describe('lists and deletes', () => {
    test('what is below a prefix, and nothing beside it', async () => {
      for (const key of ['jobs/a/spool', 'jobs/a/end', 'jobs/a/deeper/end', 'jobs/ab/end', 'jobs/b/end']) {
        await put(key, 'x');
      }
      expect(await namesBelow(store, 'jobs')).toEqual(['a', 'ab', 'b']);
      expect(await namesBelow(store, 'jobs/a')).toEqual(['deeper', 'end', 'spool']);
      await store.deleteAll('jobs/a');
      await store.deleteAll('jobs/never');
      expect(await namesBelow(store, 'jobs')).toEqual(['ab', 'b']);
      expect(await namesBelow(store, 'jobs/a')).toEqual([]);
      expect(await store.size('jobs/a/end')).toBeUndefined();
      expect((await opened.traces()).toSorted()).toEqual(['jobs/ab/end', 'jobs/b/end']);
    });

    async function allBelow(prefix: string): Promise<ListedBlob[]> {
      const blobs: ListedBlob[] = [];
      for await (const blob of store.list(prefix)) {
        blobs.push(blob);
      }
      return blobs;
    }

    test('all below a prefix with their sizes and times, in the order of their keys', async () => {
      const keys = ['jobs/a/deeper/end', 'jobs/a/end', 'jobs/a-b/end', 'jobs/a.b', 'jobs/ab/end', 'jobs/b/end'];
      for (const key of [...keys, 'jobst/end'].toReversed()) {
        await put(key, key);
      }
      const listed = await allBelow('jobs');
      expect(listed).toMatchObject(keys.toSorted().map((key) => ({ key, bytes: key.length })));
      // An object's time is in whole seconds.
      expect(listed.every(({ writtenAt }) => Math.abs(Date.now() - writtenAt) < 60_000)).toBe(true);
      expect(await allBelow('jobs/never')).toEqual([]);
    });

    test('some by their keys, there or not', async () => {
      for (const name of ['spool', 'end', 'end-1']) {
        await store.adopt([{ key: `jobs/a/${name}`, path: await localFile(name) }]);
      }
      await store.delete(['jobs/a/end', 'jobs/a/never', 'jobs/never/end']);
      await store.delete([]);
      expect(await namesBelow(store, 'jobs/a')).toEqual(['end-1', 'spool']);
    });

    test('more than a thousand', { timeout: 120_000 }, async () => {
      const names = Array.from({ length: MANY }, (_, index) => `segment-${String(index).padStart(6, '0')}.zip`);
      await store.adopt(
        await Promise.all(names.map(async (name) => ({ key: `jobs/a/${name}`, path: await localFile(name) }))),
      );
      expect(await namesBelow(store, 'jobs/a')).toEqual(names);
      await store.deleteAll('jobs/a');
      expect(await namesBelow(store, 'jobs/a')).toEqual([]);
      expect(await opened.traces()).toEqual([]);
    });
  });

  test('takes no key that leads elsewhere', async () => {
    const path = await localFile('x');
    const hidden = ['.hidden', 'a/.b', '..', '../a', 'a/../b'];
    for (const key of ['', '/', '/a', 'a/', 'a//b', 'a\\b', 'a b', 'é', 'a\0', 'a\n', ...hidden]) {
      await expect(store.adopt([{ key, path }])).rejects.toThrow(RangeError);
      await expect(store.materialise(key, scratch())).rejects.toThrow(RangeError);
      await expect(store.size(key)).rejects.toThrow(RangeError);
      await expect(store.delete([key])).rejects.toThrow(RangeError);
      await expect(store.delete([key])).rejects.toThrow(RangeError);
      await expect(store.deleteAll(key)).rejects.toThrow(RangeError);
      await expect(namesBelow(store, key)).rejects.toThrow(RangeError);
      expect(() => store.read(key, 0, 0)).toThrow(RangeError);
    }
    expect(await opened.traces()).toEqual([]);
    expect(await readdir(folder)).toContain(path.slice(folder.length + 1));
  });

  test('can be written to, and the look leaves no trace', async () => {
    await Promise.all([store.check(), store.check()]);
    await store.check();
    expect(await opened.traces()).toEqual([]);
  });
}

function digest(content: Buffer): string {
  return `${content.length} bytes ${createHash('sha256').update(content).digest('hex')}`;
}

/** Resolves when the first bytes are there, and takes none. */
async function readable(stream: Readable): Promise<void> {
  await new Promise((resolve, reject) => stream.once('readable', resolve).once('error', reject));
}
