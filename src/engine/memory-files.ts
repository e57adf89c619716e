/**
 * Files in memory for content that lives for milliseconds: creating files on a disk takes longer than drawing a few
 * items into them.
 */

import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The usual mount point of a file system in memory. */
const MEMORY = '/dev/shm';

const NAMES = ['bodyPath', 'spoolPath', 'segmentPath', 'indexPath', 'headersPath', 'endPath'] as const;

/** Paths that only this process can open. The files disappear with the process. */
export type MemoryFiles = Readonly<Record<(typeof NAMES)[number], string>>;

let files: MemoryFiles | null | undefined;

/** The files of this thread, reused for one job after another. Null when the system has no such file system. */
export function memoryFiles(): MemoryFiles | null {
  if (files === undefined) {
    files = openFiles();
  }
  return files;
}

function openFiles(): MemoryFiles | null {
  try {
    return Object.fromEntries(NAMES.map((name) => [name, openFile()])) as MemoryFiles;
  } catch {
    return null;
  }
}

function openFile(): string {
  const name = join(MEMORY, `qrpress-${randomUUID()}`);
  const path = `/proc/self/fd/${openSync(name, 'wx+', 0o600)}`;
  unlinkSync(name);
  writeFileSync(path, '');
  return path;
}
