/** Folders for the temporary files of one piece of work. */

import { randomBytes } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

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
