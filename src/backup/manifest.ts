/** The manifest of a backup, its last file: version, time, and every other file with its size and hash. */

import { createHash } from 'node:crypto';

/** Raised when an older restore could not read a newer backup. */
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
  /** The newest migration of the tables that the rows are from. */
  migration: string;
  /** False: the jobs that had ended were left out, with their archives. */
  archives: boolean;
  files: FileRecord[];
}

export function writeManifest(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;
}

/** @throws Error when it is of a newer format, or none at all */
export function parseManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== FORMAT) {
    throw new Error(`the backup has format ${manifest.format}, and this version reads format ${FORMAT}`);
  }
  return manifest;
}

/** Passes bytes on, and knows their number and hash once all have passed. */
export class Measure {
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

  /** To be called once. */
  record(name: string): FileRecord {
    return { name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
