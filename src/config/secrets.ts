/** The signing secrets: from the configuration, or generated into the data folder. */

import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, unlessAbsent } from '../platform/disk.js';
import type { Config } from './config.js';
import { parseSecrets } from './setting-values.js';

const REMEDY =
  'put the file back from a backup, or delete it: the next start then generates a new secret, and links given out before stop working';

export function secretsPath(dataDir: string): string {
  return join(dataDir, 'secrets');
}

/**
 * Returns the configured secrets, or those of the file `secrets` in the data folder, which is created (mode 0600) if it
 * is missing. @throws Error that says what to do when the file is empty or holds something else
 */
export async function loadSecrets({
  secrets,
  dataDir,
}: Pick<Config, 'secrets' | 'dataDir'>): Promise<readonly string[]> {
  return secrets ?? (await generatedSecrets(dataDir)) ?? (await generate(dataDir));
}

/** The secrets of the data folder. Undefined when none were generated yet. @throws Error as `loadSecrets` does */
export async function generatedSecrets(dataDir: string): Promise<readonly string[] | undefined> {
  return unlessAbsent(readSecrets(secretsPath(dataDir)));
}

/** The file gets its name when it is complete and durable. Of several processes that generate one, the first wins. */
async function generate(dataDir: string): Promise<readonly string[]> {
  const path = secretsPath(dataDir);
  const part = `${path}.${randomBytes(9).toString('base64url')}.part`;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const text = `generated:${randomBytes(32).toString('base64url')}\n`;
    await writeFile(part, text, { flag: 'wx', mode: 0o600, flush: true });
    await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(part, { force: true });
  }
  await syncFolder(dataDir);
  return readSecrets(path);
}

async function readSecrets(path: string): Promise<readonly string[]> {
  const text = (await readFile(path, 'utf8')).trim();
  if (text === '') {
    throw new Error(`${path} is empty, as a crash or a full disk leaves it; ${REMEDY}`);
  }
  try {
    return parseSecrets(text);
  } catch {
    throw new Error(`${path} does not hold id:value,… as it should; ${REMEDY}`);
  }
}
