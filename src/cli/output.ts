/** The targets of `render` and `submit`: a file, and for `render` also a folder of pictures or standard output. */

import { createReadStream } from 'node:fs';
import { access, chmod, constants, open, readlink, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MAX_HEADER_BYTES, storedFileAt } from '../engine/in-process.js';
import { makeFolder, unlessAbsent } from '../platform/disk.js';
import { refuse } from './arguments.js';

export const STANDARD_OUTPUT = '-';

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

/** A file that is written elsewhere first, and gets its name when it is complete. */
export interface OutputFile {
  /** As on the command line. */
  name: string;
  /** The path of the file itself, if the name is that of a link. */
  path: string;
  /** The mode of the file that is replaced. Undefined: there is none. */
  mode: number | undefined;
}

/** The target that `out` names: `-`, a folder unless `mustBeFile`, or a file. Called before any work is done. @throws as `outputFile` */
export async function outputAt(
  out: string,
  { filesRead, mustBeFile }: { filesRead: readonly string[]; mustBeFile: boolean },
): Promise<Output> {
  if (out === STANDARD_OUTPUT) {
    return { scratchParent: tmpdir(), write: writeToStandardOutput };
  }
  if (!mustBeFile && (await isFolder(out))) {
    await requireFolder(out);
    return { scratchParent: tmpdir(), write: (archive) => extract(archive, out) };
  }
  const file = await outputFile(out, filesRead);
  return { scratchParent: dirname(file.path), write: ({ path }) => replace(file, path) };
}

/**
 * The file that `out` names. Called before any work is done.
 * @param filesRead files that the command reads, which it must not overwrite
 * @throws UsageError where no file can have the name; Error where its folder cannot be written to
 */
export async function outputFile(out: string, filesRead: readonly string[]): Promise<OutputFile> {
  if (out === '') refuse('--out is empty; name a file');
  if (await isFolder(out)) refuse(`${out} is a folder; name a file in it`);
  const found = await unlessAbsent(stat(out));
  // A rename would put a file in its place.
  if (found?.isFile() === false) refuse(`${out} is a pipe or a device; name a file`);
  for (const read of found === undefined ? [] : filesRead) {
    const { dev, ino } = (await stat(read).catch(() => undefined)) ?? {};
    if (dev === found?.dev && ino === found?.ino)
      refuse(`--out ${out} would replace ${read}, which this command reads`);
  }
  const path = await withoutLinks(out);
  await access(dirname(path), constants.W_OK);
  return { name: out, path, mode: found && found.mode & 0o777 };
}

/** Follows links also to a file that does not exist yet. The caller has excluded circles. */
async function withoutLinks(path: string): Promise<string> {
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined) return path;
  // Not joined: `link/..` is the parent of the link's target.
  return withoutLinks(isAbsolute(target) ? target : `${dirname(path)}/${target}`);
}

/** Gives the complete file `written` the name of `file`, and the mode of the file that it replaces. */
export async function replace({ path, mode }: OutputFile, written: string): Promise<void> {
  if (mode !== undefined) await chmod(written, mode);
  await rename(written, path);
}

/** True for the path of a folder that exists, or one that ends with a slash. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? /[/\\]$/.test(path);
}

/** @throws Error where there is no such folder that can be written to, and none can be made */
async function requireFolder(path: string): Promise<void> {
  if ((await unlessAbsent(stat(path))) === undefined && dirname(path) !== path) {
    return requireFolder(dirname(path));
  }
  return access(path, constants.W_OK);
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
      const { name, start, end } = storedFileAt(header);
      const content = Buffer.alloc(end - start);
      await archive.read(content, 0, content.length, offset + start);
      await writeFile(join(folder, name), content);
      offset += end;
    }
  } finally {
    await archive.close();
  }
}
