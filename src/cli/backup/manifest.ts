/** The manifest, the last file of a backup: version, time, and size and hash of every other file. */

import { createHash } from 'node:crypto';

/** Raised when a backup changes so that older versions cannot restore it. */
const FORMAT = 1;

export const MANIFEST = 'manifest.json';

export interface FileRecord {
  /** Path in the backup, with `/`. */
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export interface Manifest {
  format: number;
  /** Version of the program. */
  version: string;
  /** ISO 8601. */
  createdAt: string;
  /** The newest migration of the database at the time of the backup. */
  migration: string;
  /** False: ended jobs were left out, with their archives. */
  archives: boolean;
  files: FileRecord[];
}

export function writeManifest(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;
}

/** @throws Error when the format is not this version's, or the text is not JSON */
export function parseManifest(text: string): Manifest {
  const manifest = jsonOf(text) as Manifest;
  if (manifest.format !== FORMAT) {
    throw new Error(`the backup has format ${manifest.format}; this version reads format ${FORMAT}`);
  }
  return manifest;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`the backup is damaged: ${MANIFEST} is not as written`, { cause });
  }
}

/** Passes bytes through and computes their number and hash. */
export class Checksum {
  #bytes = 0;
  readonly #hash = createHash('sha256');

  async *pass(content: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
    for await (const part of content) {
      const bytes = Buffer.from(part);
      this.#bytes += bytes.length;
      this.#hash.update(bytes);
      yield bytes;
    }
  }

  /** Call it once, after all bytes have passed. */
  record(name: string): FileRecord {
    return { name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
