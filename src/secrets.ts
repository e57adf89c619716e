/** The signing secrets: from the configuration, or generated into the data folder. */

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { parseSecrets } from './setting-values.js';

export function secretsPath(dataDir: string): string {
  return join(dataDir, 'secrets');
}

/**
 * Returns the configured secrets, or those of the file `secrets` in the data folder, which is created (mode 0600) if it
 * is missing.
 */
export async function loadSecrets({
  secrets,
  dataDir,
}: Pick<Config, 'secrets' | 'dataDir'>): Promise<readonly string[]> {
  if (secrets !== undefined) {
    return secrets;
  }
  const path = secretsPath(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const text = `generated:${randomBytes(32).toString('base64url')}\n`;
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  try {
    return parseSecrets((await readFile(path, 'utf8')).trim());
  } catch (error) {
    throw new Error(`could not read the secrets in ${path}`, { cause: error });
  }
}
