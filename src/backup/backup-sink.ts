/** The target of a backup: a folder, or one tar file. Either gets its name only once it is whole, and only its owner may read it. */

import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { syncFolder } from '../storage/sync-folder.js';
import { type FileRecord, Measure } from './manifest.js';

export type Content = AsyncIterable<Buffer | string>;

export interface BackupSink {
  /** Writes a file. @param bytes its size where it is known, which spares a tar a second copy */
  add: (name: string, content: Content, bytes?: number) => Promise<FileRecord>;
  /** Makes the backup durable, under its name. */
  finish: () => Promise<void>;
  /** Removes what was written. */
  discard: () => Promise<void>;
}

/** A path that ends in `.tar` is a file, every other one a folder. @throws Error when there is something already */
export async function createSink(path: string): Promise<BackupSink> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error.code === 'ENOTDIR' && existsSync(path) ? new Error(`${path} is there already`) : error;
  });
  if (names.length > 0) {
    throw new Error(`${path} is not empty`);
  }
  const part = `${path}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  const sink = path.endsWith('.tar') ? tarSink(part) : folderSink(part);
  return {
    add: sink.add,
    finish: async () => {
      await sink.finish();
      await rename(part, path);
      await syncFolder(dirname(path));
    },
    discard: async () => {
      await sink.discard();
      await rm(part, { recursive: true, force: true });
    },
  };
}

function folderSink(root: string): BackupSink {
  const folders = new Set<string>();
  return {
    add: async (name, content) => {
      const path = join(root, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
        folders.add(folder);
      }
      return writeMeasured(path, name, content);
    },
    finish: async () => {
      for (const folder of folders) {
        await syncFolder(folder);
      }
    },
    discard: async () => undefined,
  };
}

/** A tar says how long a file is before its first byte. */
function tarSink(path: string): BackupSink {
  const archive = pack();
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  const written = pipeline(archive, file);
  // Told to whoever adds or finishes.
  written.catch(() => undefined);
  const add: BackupSink['add'] = async (name, content, bytes) => {
    if (bytes === undefined) {
      const scratch = `${path}.entry`;
      try {
        const record = await writeMeasured(scratch, name, content);
        await add(name, createReadStream(scratch), record.bytes);
        return record;
      } finally {
        await rm(scratch, { force: true });
      }
    }
    const measure = new Measure();
    const entry = archive.entry({ name, size: bytes, mode: 0o600 });
    const lost = written.then(() => {
      throw new Error(`${path} was closed`);
    });
    await Promise.race([pipeline(measure.pass(content), entry), lost]);
    return measure.record(name);
  };
  return {
    add,
    finish: async () => {
      archive.finalize();
      await written;
    },
    discard: async () => {
      archive.destroy();
      await written.catch(() => undefined);
    },
  };
}

async function writeMeasured(path: string, name: string, content: Content): Promise<FileRecord> {
  const measure = new Measure();
  await pipeline(measure.pass(content), createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  return measure.record(name);
}
