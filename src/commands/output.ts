/** The places that `render` writes to: a ZIP file, a folder of pictures, or standard output. */

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LARGEST_HEADER_BYTES, storedFileAt } from '../archive/stored-file.js';

/** Standard output, as a file name. */
const STANDARD_OUTPUT = '-';

const PIECE_BYTES = 1 << 20;

/** An archive in parts: segments in their order, then the file that ends it. */
export interface ArchiveParts {
  segmentPaths: readonly string[];
  endPath: string;
}

/** A place that is named on the command line. */
export interface Output {
  /** Folder on the same file system, where parts may lie until they are written out. */
  scratchParent: string;
  /** Writes all parts out; the place has everything, or is as it was. */
  write: (parts: ArchiveParts) => Promise<void>;
}

/** The place that `out` names: `-`, a folder (by its slash at the end, or because it is there), or a file. */
export async function outputAt(out: string): Promise<Output> {
  if (out === STANDARD_OUTPUT) {
    return { scratchParent: tmpdir(), write: writeToStandardOutput };
  }
  const isFolder = /[/\\]$/.test(out) || (await isExistingFolder(out));
  if (isFolder) {
    return { scratchParent: tmpdir(), write: (parts) => extract(parts, out) };
  }
  return { scratchParent: dirname(out), write: (parts) => joinParts(parts, out) };
}

async function isExistingFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function writeToStandardOutput({ segmentPaths, endPath }: ArchiveParts): Promise<void> {
  for (const path of [...segmentPaths, endPath]) {
    await pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), process.stdout, { end: false });
  }
}

/** The first segment becomes the archive, so that a small one is not copied at all. */
async function joinParts({ segmentPaths: [first, ...others], endPath }: ArchiveParts, out: string): Promise<void> {
  const archivePath = first ?? endPath;
  for (const path of first === undefined ? others : [...others, endPath]) {
    await pipeline(
      createReadStream(path, { highWaterMark: PIECE_BYTES }),
      createWriteStream(archivePath, { flags: 'a', highWaterMark: PIECE_BYTES }),
    );
    await rm(path);
  }
  await rename(archivePath, out);
}

/** Writes every picture as a file of its own. Files of other names in the folder stay. */
async function extract({ segmentPaths }: ArchiveParts, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const path of segmentPaths) {
    await extractSegment(path, folder);
  }
}

async function extractSegment(path: string, folder: string): Promise<void> {
  const segment = await open(path);
  try {
    const { size } = await segment.stat();
    const header = Buffer.alloc(LARGEST_HEADER_BYTES);
    for (let offset = 0; offset < size; ) {
      await segment.read(header, 0, header.length, offset);
      const { name, start, end } = storedFileAt(header, 0);
      const content = Buffer.alloc(end - start);
      await segment.read(content, 0, content.length, offset + start);
      await writeFile(join(folder, name), content);
      offset += end;
    }
  } finally {
    await segment.close();
  }
}
