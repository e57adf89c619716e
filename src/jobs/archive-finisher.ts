/** Completes the archive that a job's segments make: its tail, and all of it as one blob where the store hands it out itself. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../render/engine.js';
import type { BlobStore } from '../storage/blob-store.js';
import { storedParts } from './archive-parts.js';
import { composedKey, directoryKey, tailKey } from './job-files.js';
import type { ArchiveSize, JobStore, RenderedSegment } from './job-store.js';
import type { Lease } from './lease-store.js';

/** From this offset on a header says it in a ZIP64 field (APPNOTE 6.3, section 4.4.1.4), and is longer than the chunk's report told. */
const ZIP64_FROM = 0xffff_ffff;

export interface ArchiveFinisherOptions {
  store: JobStore;
  storage: BlobStore;
  engine: Engine;
}

export class ArchiveFinisher {
  readonly #options: ArchiveFinisherOptions;

  constructor(options: ArchiveFinisherOptions) {
    this.#options = options;
  }

  /**
   * Writes and stores the tail. Where it can be, that is the archive's end alone, a hundred bytes: all directories would have to be
   * read for the headers, and the headers, a tenth of an archive of plain codes, be written, with nothing else left to do beside it.
   */
  async finish({ jobId, attempt }: Lease, scratch: string): Promise<ArchiveSize> {
    const { store, storage } = this.#options;
    const segments = await store.renderedChunks(jobId);
    await mkdir(scratch, { recursive: true });
    const tailPath = join(scratch, 'tail');
    const size = this.#mayLeaveHeaders(segments)
      ? await this.#writeEnd(segments, tailPath)
      : await this.#writeTail(jobId, segments, scratch, tailPath);
    await storage.adopt([{ key: tailKey(jobId, attempt), path: tailPath }]);
    return size;
  }

  /** Puts the archive together, if the store is to hand it out. */
  async compose({ jobId, attempt }: Lease, { tailBytes }: ArchiveSize): Promise<void> {
    const { store, storage } = this.#options;
    if (storage.oneObject !== undefined) {
      const parts = await storedParts(store, jobId, { attempt, tailBytes });
      await storage.oneObject.compose(composedKey(jobId, attempt), parts);
    }
  }

  /** Whether the headers can be made when the archive is read: their length is known, and no store has to have them. */
  #mayLeaveHeaders(segments: readonly RenderedSegment[]): boolean {
    return (
      this.#options.storage.oneObject === undefined &&
      segments.every(({ headerBytes }) => headerBytes > 0) &&
      sum(segments, 'segmentBytes') < ZIP64_FROM
    );
  }

  async #writeEnd(segments: readonly RenderedSegment[], endPath: string): Promise<ArchiveSize> {
    const [segmentBytes, headerBytes] = [sum(segments, 'segmentBytes'), sum(segments, 'headerBytes')];
    const entries = sum(segments, 'entries');
    const tailBytes = await this.#options.engine.writeEnd({ entries, segmentBytes, headerBytes, endPath });
    return { headerBytes, tailBytes, archiveBytes: segmentBytes + headerBytes + tailBytes };
  }

  async #writeTail(
    jobId: string,
    segments: readonly RenderedSegment[],
    scratch: string,
    tailPath: string,
  ): Promise<ArchiveSize> {
    const { storage, engine } = this.#options;
    const parts = await Promise.all(
      segments.map(async ({ position, segmentBytes, attempt }) => ({
        directoryPath: await storage.materialise(
          directoryKey(jobId, position, attempt),
          join(scratch, String(position)),
        ),
        segmentBytes,
      })),
    );
    const { tailBytes, archiveBytes } = await engine.finishArchive({ parts, tailPath });
    return { headerBytes: 0, tailBytes, archiveBytes };
  }
}

function sum(segments: readonly RenderedSegment[], figure: 'segmentBytes' | 'headerBytes' | 'entries'): number {
  return segments.reduce((total, segment) => total + segment[figure], 0);
}
