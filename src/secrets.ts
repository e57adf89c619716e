/** The signing secrets: those of the configuration, or one of our own in the data folder. */

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.js';
import { parseSecrets, type Secret } from './setting-values.js';

/** Path of the generated secret. */
export function secretsPath(dataDir: string): string {
  return join(dataDir, 'secrets');
}

/** Creates the file `secrets` in the data folder (mode 0600) when neither it nor the setting is there. */
export async function loadSecrets({
  secrets,
  dataDir,
}: Pick<Config, 'secrets' | 'dataDir'>): Promise<readonly Secret[]> {
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
    throw new Error(`the secrets in ${path} cannot be read`, { cause: error });
  }
}
