/** Reads back the pictures that `render` draws, from the proofs written beside them. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProofRequest } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { NOTHING_VERIFIED, merged, type Verification, verifyChunk } from '../engine/verify-chunk.js';

export interface ReadBackOptions {
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
  readonly proofs: ProofRequest;
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
    const waiting = Array.from({ length: chunks }, (_, place) => `${this.proofs.path}.${place}`).values();
    const lane = async () => {
      for (const path of waiting) {
        const read = await verifyChunk(this.#engine, path);
        this.verification = merged(this.verification, read);
        await rm(path);
      }
    };
    await Promise.all(Array.from({ length: this.#threads }, lane));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}
