/** Reads back the pictures that `render` draws, from the proofs written beside them. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachAtOnce } from '../at-once.js';
import type { Proofs } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { NOTHING_VERIFIED, merged, type Verification, verifyChunk } from '../engine/verify-chunk.js';

interface ReadBackOptions {
  /** Number of items to read, and of all items of the job. */
  items: number;
  total: number;
  /** For temporary files. */
  folder: string;
  threads: number;
  fontDir: string | undefined;
}

/** Reads proofs on several threads and adds up the results. */
export class ReadBack {
  /** The proofs that the engine writes while it draws. */
  readonly proofs: Proofs;
  verification: Verification = NOTHING_VERIFIED;
  readonly #engine: EngineSupervisor;
  readonly #threads: number;

  constructor({ items, total, folder, threads, fontDir }: ReadBackOptions) {
    this.proofs = { path: join(folder, 'proofs'), items, total };
    this.#engine = new EngineSupervisor({ threads, chunkItems: 1, fontDir });
    this.#threads = threads;
  }

  /** Reads and removes the proofs of the batch drawn last, which has that many chunks. */
  async read(chunks: number): Promise<void> {
    const paths = Array.from({ length: chunks }, (_, place) => `${this.proofs.path}.${place}`);
    await forEachAtOnce(paths, this.#threads, async (path) => {
      const read = await verifyChunk(this.#engine, path);
      this.verification = merged(this.verification, read);
      await rm(path);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}
