/** Files below a folder that is in use. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of all files; a folder that is deleted meanwhile has none. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    }),
  );
  return found.flat();
}
