/** The file system store: what every store does, and what files make special. */

import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { FileSystemStore } from '../../src/storage/file-system-store.js';
import { conformance } from './conformance.js';

/** A folder on another device than the temporary folder, where there is one. */
const otherDevice = (await isOtherDevice('/dev/shm')) ? '/dev/shm' : undefined;

describe('the file system store', () => {
  conformance(async (folder) => {
    const root = join(folder, 'blobs');
    const openAtFirst = await openFiles();
    return {
      store: new FileSystemStore(root),
      idle: () => vi.waitFor(async () => expect(await openFiles()).toBe(openAtFirst), { timeout: 20_000 }),
      traces: () => filesBelow(root),
      remove: async () => undefined,
    };
  });

  test.runIf(otherDevice !== undefined)('copies a file from another device whole', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    const away = await mkdtemp(`${otherDevice}/qrpress-`);
    const store = new FileSystemStore(folder);
    const content = Buffer.alloc(3_000_017, 'x');
    await writeFile(join(away, 'file'), content);
    await store.adopt([{ key: 'jobs/a/end', path: join(away, 'file') }]);
    expect((await buffer(store.read('jobs/a/end', 0, content.length - 1))).equals(content)).toBe(true);
    expect(await readdir(away)).toEqual([]);
    expect(await filesBelow(folder)).toEqual(['jobs/a/end']);
    await Promise.all([folder, away].map((path) => rm(path, { recursive: true })));
  });

  test('deletes all below a prefix while others still store there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    const store = new FileSystemStore(folder);
    for (let round = 0; round < 30; round += 1) {
      const deleting = new AbortController();
      const stored = (async () => {
        for (let index = 0; index < 300 && !deleting.signal.aborted; index += 1) {
          const path = join(folder, `file-${index}`);
          await writeFile(path, 'x');
          // A folder that goes away meanwhile is the other's doing.
          await store.adopt([{ key: `jobs/a/segment-${index}`, path }]).catch(() => undefined);
        }
      })();
      await store.deleteAll('jobs/a');
      deleting.abort();
      await stored;
    }
    await rm(folder, { recursive: true });
  });

  test('cannot be written to where its folder is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-storage-'));
    await writeFile(join(folder, 'file'), '');
    await expect(new FileSystemStore(join(folder, 'file')).check()).rejects.toThrow('EEXIST');
    await rm(folder, { recursive: true });
  });
});

async function openFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function isOtherDevice(path: string): Promise<boolean> {
  const other = await stat(path).catch(() => undefined);
  return other !== undefined && other.dev !== (await stat(tmpdir())).dev;
}
