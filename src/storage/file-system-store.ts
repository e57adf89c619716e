/** Blobs as files below one folder; keys are relative paths. */

import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { diskOf, RESERVED_DISK_BYTES, syncFolder, unlessAbsent } from '../platform/disk.js';
import { type BlobStore, checkBlobKey, isBlobKey, type ListedBlob, type LocalBlob } from './blob-store.js';
import { FileRanges, streamed } from './file-range.js';

export class FileSystemStore implements BlobStore {
  readonly #root: string;
  readonly #ranges = new FileRanges();

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
    return streamed(this.#ranges.read(this.#path(key), start, end));
  }

  async size(key: string): Promise<number | undefined> {
    return (await unlessAbsent(stat(this.#path(key))))?.size;
  }

  async delete(keys: readonly string[]): Promise<void> {
    await Promise.all(keys.map((key) => rm(this.#path(key), { force: true })));
  }

  async deleteAll(prefix: string): Promise<void> {
    // Retries, because a process that is still storing below the prefix may add a file to a folder just emptied.
    await rm(this.#path(prefix), { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    for (const entry of await this.#entries(prefix)) {
      const key = `${prefix}/${entry.name}`;
      if (entry.isDirectory()) {
        yield* this.list(key);
      } else {
        // The file may have been deleted in the meantime.
        const found = await unlessAbsent(stat(this.#path(key)));
        if (found !== undefined) {
          yield { key, bytes: found.size, writtenAt: found.mtimeMs };
        }
      }
    }
  }

  async #entries(prefix: string): Promise<Dirent[]> {
    const entries = await readdir(this.#path(prefix), { withFileTypes: true }).catch(noEntries);
    // Sorts as whole keys do: the entries of a folder sort by the folder's name with a slash.
    const order = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return entries.filter(({ name }) => isBlobKey(name)).toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
  }

  async check(): Promise<void> {
    const probe = join(this.#root, temporaryName());
    await mkdir(this.#root, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    const { freeBytes } = await diskOf(this.#root);
    if (freeBytes < RESERVED_DISK_BYTES) {
      throw new Error(`${this.#root} has ${freeBytes} bytes free, fewer than the reserve of ${RESERVED_DISK_BYTES}`);
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

/** Nothing lies below a folder that is missing, or below a file. */
function noEntries(error: NodeJS.ErrnoException): Dirent[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return [];
  }
  throw error;
}
