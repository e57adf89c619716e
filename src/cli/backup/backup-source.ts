/** The source of a restore: a folder or a tar file. Files come in the order in which they were written. */

import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { MANIFEST, type Manifest, Checksum, parseManifest } from './manifest.js';

export interface BackupFile {
  name: string;
  /** Must be read to its end before the next file. */
  content: AsyncIterable<Buffer>;
}

const NO_BACKUP = 'the backup is incomplete, or the file is no backup';

/** Iterates over every file of a backup, from the beginning each time. */
export type BackupSource = () => AsyncGenerator<BackupFile>;

export async function openSource(path: string): Promise<BackupSource> {
  return (await stat(path)).isDirectory() ? () => filesOfFolder(path) : () => filesOfTar(path);
}

/**
 * Reads the whole backup and checks it against its manifest. @throws Error that names the first missing or damaged file
 */
export async function verifySource(source: BackupSource): Promise<Manifest> {
  const { found, manifestText } = await readFiles(source).catch((error: unknown) => {
    // Errors of the system name their file; those of the tar reader do not.
    throw error instanceof Error && !('syscall' in error) ? new Error(NO_BACKUP, { cause: error }) : error;
  });
  if (manifestText === undefined) {
    throw new Error(`${NO_BACKUP}: it has no ${MANIFEST}, which is written last`);
  }
  const manifest = parseManifest(manifestText);
  for (const { name, bytes, sha256 } of manifest.files) {
    if (found.get(name) !== `${bytes} ${sha256}`) {
      throw new Error(`the backup is damaged: ${name} is ${found.has(name) ? 'not as written' : 'missing'}`);
    }
    found.delete(name);
  }
  for (const name of found.keys()) {
    throw new Error(`the backup is damaged: ${name} is not in its manifest`);
  }
  return manifest;
}

/** The size and the hash of each file, by its name, and the text of the manifest. */
async function readFiles(source: BackupSource): Promise<{ found: Map<string, string>; manifestText?: string }> {
  const found = new Map<string, string>();
  let manifestText: string | undefined;
  for await (const { name, content } of source()) {
    if (name === MANIFEST) {
      manifestText = (await buffer(content)).toString();
      continue;
    }
    const checksum = new Checksum();
    for await (const _ of checksum.pass(content));
    const { bytes, sha256 } = checksum.record(name);
    found.set(name, `${bytes} ${sha256}`);
  }
  return { found, ...(manifestText !== undefined && { manifestText }) };
}

/** The names of the files sort in the order of a restore. */
async function* filesOfFolder(root: string): AsyncGenerator<BackupFile> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  for (const name of names.toSorted()) {
    yield { name, content: createReadStream(join(root, name)) };
  }
}

async function* filesOfTar(path: string): AsyncGenerator<BackupFile> {
  const archive = extract();
  const file = createReadStream(path);
  file.on('error', (error) => archive.destroy(error));
  file.pipe(archive);
  try {
    for await (const entry of archive) {
      yield { name: entry.header.name, content: entry as AsyncIterable<Buffer> };
      entry.resume();
    }
  } finally {
    file.destroy();
  }
}
