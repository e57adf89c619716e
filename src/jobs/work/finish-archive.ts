/** Writes the end of a job's archive. */

import { join } from 'node:path';
import type { Engine } from '../../engine/engine.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { temporaryFolder } from '../../platform/disk.js';
import { archiveEndKey, segmentIndexKey } from '../files/job-files.js';
import type { ChunkStore, RenderedSegment } from '../chunk-store.js';
import type { ArchiveSize } from '../job-store.js';
import type { Lease } from '../lease-store.js';

/**
 * From this offset on, a header needs a ZIP64 field (APPNOTE 6.3, section 4.4.1.4) and is longer than the chunk's
 * report says.
 */
const ZIP64_FROM = 0xffff_ffff;

interface Options {
  chunks: ChunkStore;
  storage: BlobStore;
  engine: Engine;
  /** Folder for temporary files. */
  scratch: string;
}

/**
 * Writes and stores the end. If possible, leaves out the central directory, so that only a hundred bytes are written.
 * Writing the headers would mean reading all indexes and writing a tenth of the size of an archive of plain codes,
 * while nothing else is left to do.
 */
export async function finishArchive(options: Options, { jobId, attempt }: Lease): Promise<ArchiveSize> {
  const { chunks, storage, engine, scratch } = options;
  const segments = await chunks.rendered(jobId);
  await using folder = await temporaryFolder(scratch);
  const endPath = join(folder.path, 'end');
  const size =
    sum(segments, 'segmentBytes') < ZIP64_FROM
      ? await writeEnd(engine, segments, endPath)
      : await writeDirectoryAndEnd(options, jobId, segments, folder.path, endPath);
  await storage.adopt([{ key: archiveEndKey(jobId, attempt), path: endPath }]);
  return size;
}

async function writeEnd(engine: Engine, segments: readonly RenderedSegment[], endPath: string): Promise<ArchiveSize> {
  const [segmentBytes, headerBytes] = [sum(segments, 'segmentBytes'), sum(segments, 'headerBytes')];
  const entries = sum(segments, 'entries');
  const endBytes = await engine.writeEnd({ entries, segmentBytes, headerBytes, endPath });
  return { headerBytes, endBytes, archiveBytes: segmentBytes + headerBytes + endBytes };
}

async function writeDirectoryAndEnd(
  { storage, engine }: Options,
  jobId: string,
  segments: readonly RenderedSegment[],
  folder: string,
  endPath: string,
): Promise<ArchiveSize> {
  const parts = await Promise.all(
    segments.map(async ({ position, segmentBytes, attempt }) => ({
      indexPath: await storage.materialise(segmentIndexKey(jobId, position, attempt), join(folder, String(position))),
      segmentBytes,
    })),
  );
  const { endBytes, archiveBytes } = await engine.finishArchive({ parts, endPath });
  return { headerBytes: 0, endBytes, archiveBytes };
}

function sum(segments: readonly RenderedSegment[], figure: 'segmentBytes' | 'headerBytes' | 'entries'): number {
  return segments.reduce((total, segment) => total + segment[figure], 0);
}
