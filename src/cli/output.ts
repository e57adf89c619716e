/** The targets of `render`: a ZIP file, a folder of pictures, or standard output. */

import { createReadStream } from 'node:fs';
import { access, constants, open, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MAX_HEADER_BYTES, storedFileAt } from '../jobs/archive/stored-file.js';
import { makeFolder } from '../platform/disk.js';

const STANDARD_OUTPUT = '-';

const PIECE_BYTES = 1 << 20;

interface ArchiveFile {
  path: string;
  /** Bytes before the central directory: the files with their headers. */
  segmentBytes: number;
}

/** A target named on the command line. */
interface Output {
  /** A folder on the same file system for temporary files. */
  scratchParent: string;
  /** Moves or copies the archive to the target. */
  write: (archive: ArchiveFile) => Promise<void>;
}

/** The target that `out` names: `-`, a folder, or a file. */
export async function outputAt(out: string): Promise<Output> {
  if (out === STANDARD_OUTPUT) {
    return { scratchParent: tmpdir(), write: writeToStandardOutput };
  }
  if (await isFolder(out)) {
    return { scratchParent: tmpdir(), write: (archive) => extract(archive, out) };
  }
  await access(dirname(out), constants.W_OK);
  return { scratchParent: dirname(out), write: ({ path }) => rename(path, out) };
}

/** True for the path of a folder that exists, or one that ends with a slash. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? /[/\\]$/.test(path);
}

async function writeToStandardOutput({ path }: ArchiveFile): Promise<void> {
  await pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), process.stdout, { end: false });
}

/** Writes each picture to its own file. Keeps other files in the folder. */
async function extract({ path, segmentBytes }: ArchiveFile, folder: string): Promise<void> {
  await makeFolder(folder);
  const archive = await open(path);
  try {
    const header = Buffer.alloc(MAX_HEADER_BYTES);
    for (let offset = 0; offset < segmentBytes; ) {
      await archive.read(header, 0, header.length, offset);
      const { name, start, end } = storedFileAt(header, 0);
      const content = Buffer.alloc(end - start);
      await archive.read(content, 0, content.length, offset + start);
      await writeFile(join(folder, name), content);
      offset += end;
    }
  } finally {
    await archive.close();
  }
}
