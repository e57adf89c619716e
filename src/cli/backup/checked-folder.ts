/** The folder of a backup, read and checked against its manifest. */

import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { unlessAbsent } from '../../platform/disk.js';
import { Checksum, MANIFEST, type Manifest, parseManifest } from './manifest.js';

export interface BackupFile {
  name: string;
  /** Where it lies. */
  path: string;
}

/** A backup that was read to its end, and is whole. */
export interface CheckedFolder {
  manifest: Manifest;
  /** Its files in the order of a restore, in which their names sort. */
  files: readonly BackupFile[];
}

/** Reads every file. @throws Error that names the first missing or damaged file */
export async function checkFolder(root: string): Promise<CheckedFolder> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => name !== MANIFEST)
    .toSorted();
  const manifestText = await unlessAbsent(readFile(join(root, MANIFEST), 'utf8'));
  if (manifestText === undefined) {
    throw new Error(
      `the backup is incomplete, or the folder is no backup: it has no ${MANIFEST}, which is written last`,
    );
  }
  const manifest = parseManifest(manifestText);
  const found = new Set(names);
  for (const { name, bytes, sha256 } of manifest.files) {
    if (!found.delete(name)) {
      throw new Error(`the backup is damaged: ${name} is missing`);
    }
    const checksum = new Checksum();
    for await (const _ of checksum.pass(createReadStream(join(root, name))));
    const read = checksum.record(name);
    if (read.bytes !== bytes || read.sha256 !== sha256) {
      throw new Error(`the backup is damaged: ${name} is not as written`);
    }
  }
  for (const name of found) {
    throw new Error(`the backup is damaged: ${name} is not in its manifest`);
  }
  return { manifest, files: names.map((name) => ({ name, path: join(root, name) })) };
}
