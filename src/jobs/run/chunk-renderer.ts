/** Renders a chunk, stores its segment, and reads its codes back. */

import { join } from 'node:path';
import type { Engine, RenderReport } from '../../engine/engine.js';
import { NOTHING_VERIFIED, type Verification, verifyChunk } from '../../engine/verify-chunk.js';
import type { Log } from '../../log.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { segmentIndexKey, segmentKey } from '../files/job-files.js';
import { chunkSpool } from '../files/spool-blobs.js';
import type { ClaimedChunk } from '../lease-store.js';

export interface ChunkRendererOptions {
  storage: BlobStore;
  engine: Engine;
  /** Folder for temporary files. */
  scratch: string;
  log: Log;
  /** Aborted when the process stops. A failure then says nothing about the chunk. */
  stopping: AbortSignal;
}

export class ChunkRenderer {
  readonly #options: ChunkRendererOptions;

  constructor(options: ChunkRendererOptions) {
    this.#options = options;
  }

  /** Can be called again after a failure. */
  async render(
    jobId: string,
    position: number,
    { attempt, firstItem, itemCount, total, verifyItems, ...place }: ClaimedChunk,
  ): Promise<RenderReport & { verification: Verification }> {
    const { storage, engine } = this.#options;
    await using folder = await temporaryFolder(this.#options.scratch);
    const { key, ranges, spoolOffset } = chunkSpool(jobId, position, place);
    const spoolPath = await storage.materialise(key, join(folder.path, 'spool'), ranges);
    const segmentPath = join(folder.path, 'segment');
    const indexPath = join(folder.path, 'index');
    const proofsPath = verifyItems > 0 ? join(folder.path, 'proofs') : undefined;
    const report = await engine.renderChunk({
      firstItem,
      itemCount,
      spoolOffset,
      spoolBytes: place.spoolBytes,
      spoolPath,
      segmentPath,
      indexPath,
      ...(proofsPath !== undefined && { proofs: { path: proofsPath, items: verifyItems, total } }),
    });
    await storage.adopt([
      { key: segmentKey(jobId, position, attempt), path: segmentPath },
      { key: segmentIndexKey(jobId, position, attempt), path: indexPath },
    ]);
    return { ...report, verification: await this.#verify(jobId, position, proofsPath) };
  }

  /** A decoder failure does not affect the pictures: the chunk is done, with nothing read back. */
  async #verify(jobId: string, position: number, proofsPath: string | undefined): Promise<Verification> {
    const { engine, log, stopping } = this.#options;
    try {
      return await verifyChunk(engine, proofsPath);
    } catch (error) {
      if (stopping.aborted) {
        throw error;
      }
      log.error({ jobId, chunk: position, err: error }, 'job: could not read codes back');
      return NOTHING_VERIFIED;
    }
  }
}
