/** A stream into a file: the bytes it writes, the memory it takes, and that it frees both. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GATHERED_BYTES, GatheredWrites } from '../../src/storage/gathered-writes.js';
import { ReusedMemory } from '../../src/storage/reused-memory.js';

describe('gathered writes', () => {
  let folder: string;
  let spare: ReusedMemory;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-gathered-'));
    spare = new ReusedMemory(GATHERED_BYTES);
    await writeFile(path(), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const path = () => join(folder, 'file');
  const openFiles = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(folder));
  };

  test.for([
    { sizes: [] },
    { sizes: [1] },
    { sizes: [GATHERED_BYTES] },
    { sizes: [GATHERED_BYTES - 1, 1, 1] },
    { sizes: [100, 2 * GATHERED_BYTES + 1, 7] },
    { sizes: Array.from({ length: 70 }, () => 65_536) },
  ])('hold the pieces one after the other, from the offset on: $sizes', async ({ sizes }) => {
    const pieces = sizes.map((bytes) => randomBytes(bytes));
    for (const offset of [0, 12_345]) {
      await writeFile(path(), '');
      await pipeline(Readable.from(pieces), new GatheredWrites(path(), offset, spare));
      const content = Buffer.concat(pieces);
      const before = content.length === 0 ? 0 : offset;
      expect((await readFile(path())).equals(Buffer.concat([Buffer.alloc(before), content]))).toBe(true);
    }
    expect(await openFiles()).toEqual([]);
  });

  test('use memory again when they have ended or failed, and no memory of others that go on', async () => {
    const first = new GatheredWrites(path(), 0, spare);
    const other = spare.take();
    await new Promise((resolve) => first.write('begun', resolve));
    await new Promise((resolve) => first.destroy().once('close', resolve));
    const memory = spare.take();
    expect(memory).not.toBe(other);
    expect(memory.toString('latin1', 0, 5)).toBe('begun');
    spare.giveBack(memory);
    await expect(
      pipeline(Readable.from([Buffer.from('a')]), new GatheredWrites(join(folder, 'absent'), 0, spare)),
    ).rejects.toThrow('ENOENT');
    expect(spare.take()).toBe(memory);
    expect(await openFiles()).toEqual([]);
  });

  test('give their memory back only after a write that is under way', async () => {
    const writes = new GatheredWrites(path(), 0, spare);
    writes.write(Buffer.alloc(GATHERED_BYTES, 'a'));
    await new Promise((resolve) => writes.write('b', resolve));
    writes.write(Buffer.alloc(GATHERED_BYTES, 'c'));
    writes.destroy();
    const meanwhile = spare.take();
    meanwhile.fill('z');
    await new Promise((resolve) => writes.once('close', resolve));
    expect(spare.take()).not.toBe(meanwhile);
    expect(await readFile(path(), 'latin1')).toMatch(/^a+(?:bc+)?$/);
    expect(await openFiles()).toEqual([]);
  });
});
