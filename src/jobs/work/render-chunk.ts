/** Renders a chunk, reads its codes back, and stores its segment. */

import { join } from 'node:path';
import type { ChunkRange, Engine, RenderChunkReport } from '../../engine/engine.js';
import { NOTHING_VERIFIED, phoneItemsOf, type Verification, verifyChunk } from '../../engine/verify-chunk.js';
import type { Log } from '../../platform/log.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { temporaryFolder } from '../../platform/disk.js';
import { chunkSpool, segmentIndexKey, segmentKey, segmentReadingsKey } from '../files/job-files.js';
import type { ClaimedChunk } from '../lease-store.js';
import { isCorrupt, isDown, isFault } from './retries.js';

interface Options {
  storage: BlobStore;
  engine: Engine;
  /** Folder for temporary files. */
  scratch: string;
  log: Log;
}

export interface RenderedChunkReport extends RenderChunkReport {
  verification: Verification;
  /** Length of the stored readings. 0: there are none. */
  readingsBytes: number;
}

/**
 * Can be called again after a failure.
 * @param stopping aborted when the process stops: a failure then says nothing about the chunk
 */
export async function renderChunk(
  options: Options,
  jobId: string,
  position: number,
  { attempt, firstItem, itemCount, total, verifyItems, ...place }: ClaimedChunk,
  stopping: AbortSignal,
): Promise<RenderedChunkReport> {
  const { storage, engine, scratch, log } = options;
  await using folder = await temporaryFolder(scratch);
  const { key, ranges, spoolOffset } = chunkSpool(jobId, position, place);
  const spoolPath = await storage.materialise(key, join(folder.path, 'spool'), ranges);
  const files = {
    spoolPath,
    segmentPath: join(folder.path, 'segment'),
    indexPath: join(folder.path, 'index'),
  };
  const chunk: ChunkRange = { firstItem, itemCount, spoolOffset, spoolBytes: place.spoolBytes };
  const report = await engine.renderChunk({ chunk, ...files });
  const readingsPath = join(folder.path, 'readings');
  let read: Pick<RenderedChunkReport, 'verification' | 'readingsBytes'> = {
    verification: NOTHING_VERIFIED,
    readingsBytes: 0,
  };
  if (verifyItems > 0) {
    try {
      const { readingsBytes, ...verification } = await verifyChunk(engine, {
        chunk,
        ...files,
        segmentOffset: 0,
        indexOffset: 0,
        indexBytes: report.indexBytes,
        readingsPath,
        proofsPath: join(folder.path, 'proofs'),
        items: verifyItems,
        phoneItems: phoneItemsOf(verifyItems),
        total,
      });
      read = { verification, readingsBytes };
    } catch (error) {
      if (stopping.aborted || isDown(error) || isCorrupt(error) || !isFault(error)) {
        throw error;
      }
      // A decoder failure does not affect the pictures: the chunk is done, with nothing read back.
      log.error({ jobId, chunk: position, err: error }, 'job: could not read codes back');
    }
  }
  await storage.adopt([
    { key: segmentKey(jobId, position, attempt), path: files.segmentPath },
    { key: segmentIndexKey(jobId, position, attempt), path: files.indexPath },
    ...(read.readingsBytes > 0 ? [{ key: segmentReadingsKey(jobId, position, attempt), path: readingsPath }] : []),
  ]);
  return { ...report, ...read };
}
