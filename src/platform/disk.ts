/** The disk below a folder: its free space, how much of that stays free, how folders are made and made durable, and what may be absent. */

import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, rmdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sharedSync } from './concurrency.js';

/** With less free space than this nothing new is accepted, so that jobs under way do not run out of it. */
export const RESERVED_DISK_BYTES = 512 * 1024 ** 2;

/** Bytes of the folder's file system, and those that may still be written. */
export async function diskOf(folder: string): Promise<{ bytes: number; freeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { bytes: blocks * bsize, freeBytes: bavail * bsize };
}

/**
 * Creates a folder that a person named, with its parents. Node's `recursive` tries for ever where a file system takes no folders,
 * as `/proc`. @throws the system's error
 */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) {
      unlessThere(error);
      return;
    }
    await makeFolder(dirname(path));
    await mkdir(path).catch(unlessThere);
  });
}

/** @throws the error, unless it says that the folder is there */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') {
    throw error;
  }
}

/** Undefined where there is no such file or folder. @throws any other error of `result` */
export async function unlessAbsent<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Creates an empty folder below `parent`, with its parents. `await using` removes it with its contents. */
export async function temporaryFolder(parent: string): Promise<AsyncDisposable & { path: string }> {
  const path = join(parent, randomBytes(12).toString('hex'));
  await mkdir(path, { recursive: true });
  return {
    path,
    // Often empty by then, and `rmdir` is the cheaper call.
    [Symbol.asyncDispose]: () => rmdir(path).catch(() => rm(path, { recursive: true, force: true })),
  };
}

/** Folders being synced now, so that concurrent callers share one sync. */
const inFlight = new Map<string, { sync: () => Promise<void>; callers: number }>();

/**
 * Resolves when every entry that the folder had at the call would survive a power cut: a synced file can still lose its name in one.
 */
export async function syncFolder(folder: string): Promise<void> {
  const shared = inFlight.get(folder) ?? { sync: sharedSync(() => syncNow(folder)), callers: 0 };
  inFlight.set(folder, shared);
  shared.callers += 1;
  try {
    await shared.sync();
  } finally {
    shared.callers -= 1;
    if (shared.callers === 0) {
      inFlight.delete(folder);
    }
  }
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
