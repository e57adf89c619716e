/** Renders a chunk, stores its segment, and reads its codes back. */

import { join } from 'node:path';
import type { Engine, RenderChunkReport } from '../../engine/engine.js';
import { NOTHING_VERIFIED, type Verification, verifyChunk } from '../../engine/verify-chunk.js';
import type { Log } from '../../log.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { segmentIndexKey, segmentKey } from '../files/job-files.js';
import { chunkSpool } from '../files/spool-blobs.js';
import type { ClaimedChunk } from '../lease-store.js';

interface Options {
  storage: BlobStore;
  engine: Engine;
  /** Folder for temporary files. */
  scratch: string;
  log: Log;
}

/**
 * Can be called again after a failure.
 * @param stopping aborted when the process stops: a failure then says nothing about the chunk
 */
export async function renderChunk(
  { storage, engine, scratch, log }: Options,
  jobId: string,
  position: number,
  { attempt, firstItem, itemCount, total, verifyItems, ...place }: ClaimedChunk,
  stopping: AbortSignal,
): Promise<RenderChunkReport & { verification: Verification }> {
  await using folder = await temporaryFolder(scratch);
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
  try {
    return { ...report, verification: await verifyChunk(engine, proofsPath) };
  } catch (error) {
    if (stopping.aborted) {
      throw error;
    }
    // A decoder failure does not affect the pictures: the chunk is done, with nothing read back.
    log.error({ jobId, chunk: position, err: error }, 'job: could not read codes back');
    return { ...report, verification: NOTHING_VERIFIED };
  }
}
