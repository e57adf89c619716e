/**
 * The target of a backup: a folder or a tar file. It gets its final name only when it is complete. Only its owner may
 * read it.
 */

import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { makeFolder, syncFolder, unlessAbsent } from '../../platform/disk.js';
import { type FileRecord, Checksum } from './manifest.js';

type Content = AsyncIterable<Buffer | string>;

export interface BackupSink {
  /** Writes a file. @param bytes its size, if known: spares a tar a second copy */
  add: (name: string, content: Content, bytes?: number) => Promise<FileRecord>;
  /** Makes the backup durable and gives it its final name. */
  finish: () => Promise<void>;
  /** Removes everything written so far. */
  discard: () => Promise<void>;
}

/** A sink with a path for a temporary file, which ends with it. */
type ScratchSink = BackupSink & { scratch: string };

/** A path that ends in `.tar`, with or without a slash behind it, becomes a file, any other a folder. @throws Error when the path is in use */
export async function createSink(to: string): Promise<ScratchSink> {
  // Without a slash at its end: what is not complete yet lies beside it.
  const path = resolve(to);
  const isTar = path.endsWith('.tar');
  const names = await unlessAbsent(readdir(path)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOTDIR' && existsSync(path) ? inUse(path, 'it already exists') : error;
  });
  if (names !== undefined && (isTar || names.length > 0)) {
    throw inUse(path, names.length > 0 ? 'it is not empty' : 'it is a folder');
  }
  const part = `${path}.part`;
  // A backup that was killed leaves it.
  await rm(part, { recursive: true, force: true });
  await makeFolder(dirname(path));
  await mkdir(part, { mode: 0o700 });
  const content = join(part, 'content');
  const sink = isTar ? tarSink(content) : folderSink(content);
  return {
    scratch: join(part, 'scratch'),
    add: sink.add,
    finish: async () => {
      await sink.finish();
      await rename(content, path);
      await rm(part, { recursive: true });
      await syncFolder(dirname(path));
    },
    discard: async () => {
      await sink.discard();
      await rm(part, { recursive: true, force: true });
    },
  };
}

function inUse(path: string, reason: string): Error {
  return new Error(`cannot write the backup to ${path}: ${reason}. Name a path that does not exist yet`);
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
      return writeChecked(path, name, content);
    },
    finish: async () => {
      for (const folder of folders) {
        await syncFolder(folder);
      }
    },
    discard: async () => undefined,
  };
}

/** A tar entry states its size before its content. */
function tarSink(path: string): BackupSink {
  const archive = pack();
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  const written = pipeline(archive, file);
  // The error surfaces in `add` or `finish`.
  written.catch(() => undefined);
  const add: BackupSink['add'] = async (name, content, bytes) => {
    if (bytes === undefined) {
      const scratch = `${path}.entry`;
      try {
        const record = await writeChecked(scratch, name, content);
        await add(name, createReadStream(scratch), record.bytes);
        return record;
      } finally {
        await rm(scratch, { force: true });
      }
    }
    const checksum = new Checksum();
    const entry = archive.entry({ name, size: bytes, mode: 0o600 });
    const lost = written.then(() => {
      throw new Error(`${path} was closed`);
    });
    await Promise.race([pipeline(checksum.pass(content), entry), lost]);
    return checksum.record(name);
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

async function writeChecked(path: string, name: string, content: Content): Promise<FileRecord> {
  const checksum = new Checksum();
  await pipeline(checksum.pass(content), createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  return checksum.record(name);
}
