/** Blobs as files below one folder, their keys as paths. */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkBlobKey, isBlobKey } from './blob-key.js';
import type { BlobStore, ListedBlob, LocalBlob } from './blob-store.js';
import { FileRange } from './file-range.js';
import { syncFolder } from './sync-folder.js';

/** Below this the store counts as full, so that jobs are refused before those under way run out of space. */
const RESERVED_BYTES = 512 * 1024 * 1024;

export class FileSystemStore implements BlobStore {
  readonly #root: string;

  /** `root` is created when it is needed. */
  constructor(root: string) {
    this.#root = root;
  }

  async adopt(blobs: readonly LocalBlob[]): Promise<void> {
    // All of them before any is moved: under its final name a file survives a power cut whole.
    for (const { path } of blobs) {
      await unlessAbsent(syncFile(path));
    }
    const folders = new Set<string>();
    for (const { key, path } of blobs) {
      for (const changed of await moveFile(path, this.#path(key))) {
        folders.add(changed);
      }
    }
    await Promise.all([...folders].map(syncFolder));
  }

  async materialise(key: string): Promise<string> {
    const path = this.#path(key);
    await stat(path);
    return path;
  }

  read(key: string, start: number, end: number): Readable {
    return new FileRange(this.#path(key), start, end);
  }

  async size(key: string): Promise<number | undefined> {
    return (await unlessAbsent(stat(this.#path(key))))?.size;
  }

  async writtenAt(key: string): Promise<number | undefined> {
    return (await unlessAbsent(stat(this.#path(key))))?.mtimeMs;
  }

  async delete(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => rm(this.#path(key), { force: true })));
  }

  async deleteAll(prefix: string): Promise<void> {
    // A process that still stores below it may put a file into a folder that was just emptied.
    await rm(this.#path(prefix), { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
  }

  async list(prefix: string): Promise<string[]> {
    const names = (await unlessAbsent(readdir(this.#path(prefix)))) ?? [];
    return names.filter(isBlobKey);
  }

  async *listAll(prefix: string): AsyncGenerator<ListedBlob> {
    for (const entry of await this.#entries(prefix)) {
      const key = `${prefix}/${entry.name}`;
      if (entry.isDirectory()) {
        yield* this.listAll(key);
      } else {
        // A file may be deleted meanwhile.
        const bytes = await this.size(key);
        if (bytes !== undefined) {
          yield { key, bytes };
        }
      }
    }
  }

  async #entries(prefix: string): Promise<Dirent[]> {
    const entries = (await unlessAbsent(readdir(this.#path(prefix), { withFileTypes: true }))) ?? [];
    // As whole keys compare: what is in a folder stands where the folder's name with a slash would.
    const order = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return entries.filter(({ name }) => isBlobKey(name)).toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  }

  async check(): Promise<void> {
    const probe = join(this.#root, temporaryName());
    await mkdir(this.#root, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    const { bavail, bsize } = await statfs(this.#root);
    if (bavail * bsize < RESERVED_BYTES) {
      throw new Error(`${this.#root} has ${bavail * bsize} bytes left, fewer than the ${RESERVED_BYTES} kept free`);
    }
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    checkBlobKey(key);
    return join(this.#root, key);
  }
}

/** Creates a folder with its parents; returns the folders that have a new entry by that, which are to be synced. */
async function makeFolder(folder: string): Promise<string[]> {
  const topmost = await mkdir(folder, { recursive: true });
  const changed: string[] = [];
  if (topmost !== undefined) {
    for (let created = folder; created.length >= topmost.length; created = dirname(created)) {
      changed.push(dirname(created));
    }
  }
  return changed;
}

/** Moves a file that was not moved before a crash; returns the folders that have a new entry by that. */
async function moveFile(from: string, to: string): Promise<string[]> {
  const folder = dirname(to);
  // Most often the folder is there already.
  if ((await unlessAbsent(renamed(from, to))) !== undefined) {
    return [folder];
  }
  const changed = await makeFolder(folder);
  // A folder that was made just now holds nothing.
  if (changed.length > 0 || (await unlessAbsent(stat(to))) === undefined) {
    await renamed(from, to);
  }
  return [folder, ...changed];
}

async function renamed(from: string, to: string): Promise<string> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') {
      throw error;
    }
    await moveAcrossDevices(from, to);
  }
  return to;
}

/** Under the final name there is never a part of a file. */
async function moveAcrossDevices(from: string, to: string): Promise<void> {
  const copy = join(dirname(to), temporaryName());
  try {
    await copyFile(from, copy);
    await syncFile(copy);
    await rename(copy, to);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(from);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Begins with a dot, so it is no blob's name. */
function temporaryName(): string {
  return `.${randomBytes(9).toString('base64url')}`;
}

async function unlessAbsent<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
