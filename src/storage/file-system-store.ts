/** Blobs as files below one folder; keys are relative paths. */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkBlobKey, isBlobKey } from './blob-key.js';
import type { BlobStore, ListedBlob, LocalBlob } from './blob-store.js';
import { FileRange } from './file-range.js';
import { syncFolder } from './sync-folder.js';

/** With less free space than this the store counts as full. New jobs are refused before running ones fill the disk. */
const RESERVED_BYTES = 512 * 1024 * 1024;

export class FileSystemStore implements BlobStore {
  readonly #root: string;

  /** `root` is created on first use. */
  constructor(root: string) {
    this.#root = root;
  }

  async adopt(blobs: readonly LocalBlob[]): Promise<void> {
    // Syncs all files before moving any, so that a file under its final name is complete after a power cut.
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
    // Retries, because a process that is still storing below the prefix may add a file to a folder just emptied.
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
        // The file may have been deleted in the meantime.
        const bytes = await this.size(key);
        if (bytes !== undefined) {
          yield { key, bytes };
        }
      }
    }
  }

  async #entries(prefix: string): Promise<Dirent[]> {
    const entries = (await unlessAbsent(readdir(this.#path(prefix), { withFileTypes: true }))) ?? [];
    // Sorts as whole keys do: the entries of a folder sort by the folder's name with a slash.
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
      throw new Error(`${this.#root} has ${bavail * bsize} bytes free, fewer than the reserve of ${RESERVED_BYTES}`);
    }
  }

  async close(): Promise<void> {}

  #path(key: string): string {
    checkBlobKey(key);
    return join(this.#root, key);
  }
}

/** Creates a folder and its parents. Returns the folders that got a new entry and must be synced. */
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

/** Moves a file, unless it was moved before a crash. Returns the folders that got a new entry. */
async function moveFile(from: string, to: string): Promise<string[]> {
  const folder = dirname(to);
  // The folder usually exists.
  if ((await unlessAbsent(renameOrCopy(from, to))) !== undefined) {
    return [folder];
  }
  const changed = await makeFolder(folder);
  // A folder created just now cannot hold the file.
  if (changed.length > 0 || (await unlessAbsent(stat(to))) === undefined) {
    await renameOrCopy(from, to);
  }
  return [folder, ...changed];
}

async function renameOrCopy(from: string, to: string): Promise<string> {
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

/** Copies to a temporary name first, so that the final name never shows part of a file. */
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

/** Begins with a dot, so it is never a valid blob key. */
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
