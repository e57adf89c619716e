/** The disk below a folder: how much of it is free, and how much of that stays so. */

import { statfs } from 'node:fs/promises';

/** With less free space than this nothing new is accepted, so that jobs under way do not run out of it. */
export const RESERVED_DISK_BYTES = 512 * 1024 ** 2;

/** Bytes of the folder's file system, and those that may still be written. */
export async function diskOf(folder: string): Promise<{ bytes: number; freeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { bytes: blocks * bsize, freeBytes: bavail * bsize };
}
