/** Files in memory, for what is written and read again within milliseconds: to make files on a disk takes longer than to draw a few items into them. */

import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, where the system has one. */
const MEMORY = '/dev/shm';

const NAMES = ['bodyPath', 'spoolPath', 'segmentPath', 'indexPath', 'headersPath', 'endPath'] as const;

/** Paths that only this process can open, of files that are gone with it. */
export type MemoryFiles = Readonly<Record<(typeof NAMES)[number], string>>;

let files: MemoryFiles | null | undefined;

/** This thread's, used for one job after the other; null where the system has none. */
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
