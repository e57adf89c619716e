/** The folder that a backup is written to. It gets its name only when it is complete. Only its owner may read it. */

import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder, syncFolder, unlessAbsent } from '../../platform/disk.js';
import { Checksum, type FileRecord } from './manifest.js';

export class NewFolder {
  readonly #path: string;
  /** Holds the content and the temporary file. */
  readonly #part: string;
  readonly #content: string;
  /** Folders with files, to be synced. */
  readonly #folders = new Set<string>();

  private constructor(path: string) {
    this.#path = path;
    this.#part = `${path}.part`;
    this.#content = join(this.#part, 'content');
  }

  /** @throws Error when the path is in use */
  static async create(to: string): Promise<NewFolder> {
    // Without a slash at its end: what is not complete yet lies beside it.
    const path = resolve(to);
    const names = await unlessAbsent(readdir(path)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOTDIR' && existsSync(path) ? inUse(path, 'it is a file') : error;
    });
    if (names !== undefined && names.length > 0) {
      throw inUse(path, 'it is not empty');
    }
    const folder = new NewFolder(path);
    // A backup that was killed leaves it.
    await rm(folder.#part, { recursive: true, force: true });
    await makeFolder(dirname(path));
    await mkdir(folder.#part, { mode: 0o700 });
    return folder;
  }

  /** A path for a temporary file, which ends with the backup. */
  get scratch(): string {
    return join(this.#part, 'scratch');
  }

  async add(name: string, content: AsyncIterable<Buffer | string>): Promise<FileRecord> {
    const path = join(this.#content, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (let folder = dirname(path); folder.length >= this.#content.length; folder = dirname(folder)) {
      this.#folders.add(folder);
    }
    const checksum = new Checksum();
    await pipeline(checksum.pass(content), createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
    return checksum.record(name);
  }

  /** Makes the backup durable and gives it its name. */
  async finish(): Promise<void> {
    for (const folder of this.#folders) {
      await syncFolder(folder);
    }
    await rename(this.#content, this.#path);
    await rm(this.#part, { recursive: true });
    await syncFolder(dirname(this.#path));
  }

  /** Removes everything written so far. */
  async discard(): Promise<void> {
    await rm(this.#part, { recursive: true, force: true });
  }
}

function inUse(path: string, reason: string): Error {
  return new Error(`cannot write the backup to ${path}: ${reason}. Name a path that does not exist yet`);
}
