/** Lists the files below a folder that is in use. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of all files. A folder that is deleted meanwhile counts as empty. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    }),
  );
  return found.flat();
}
