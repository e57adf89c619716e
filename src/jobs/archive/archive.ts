/**
 * A complete job's archive: its segments in order, their headers and the end, read as one file that is never written as
 * a whole.
 */

import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Engine } from '../../engine/engine.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { type FileRanges, streamed } from '../../storage/file-range.js';
import { temporaryFolder } from '../../platform/disk.js';
import { entityTagOf } from '../../platform/entity-tag.js';

/** A stored blob of the archive. `bytes` is at least 1. */
interface StoredPart {
  key: string;
  bytes: number;
}

interface DescribedSegment {
  /** Key of the segment's index. */
  segmentIndexKey: string;
  segmentBytes: number;
  /** The segment's offset in the archive. */
  offset: number;
}

/** The headers of one segment. `bytes` is at least 1. */
export interface HeadersPart {
  describes: DescribedSegment;
  bytes: number;
}

export type ArchivePart = StoredPart | HeadersPart;

/** Bytes `start` to `end` (inclusive) of a part. */
interface PartRange {
  part: ArchivePart;
  start: number;
  end: number;
}

export interface ArchiveSources {
  storage: BlobStore;
  engine: Pick<Engine, 'writeHeaders'>;
  /** Folder for temporary files. */
  scratch: string;
  /** Reads the temporary files. */
  ranges: FileRanges;
}

interface ArchiveIdentity {
  jobId: string;
  /** Unix milliseconds. */
  endedAt: number;
}

/**
 * Open the next part when this many bytes of the current one remain. Opening costs a file, a request, or a call of the engine for headers:
 * hundreds of downloads that begin at once must not pay it twice before their first bytes are sent.
 */
const AHEAD_BYTES = 1024 * 1024;

/** Identify a job's archive: a job only ever has one. The tag does not reveal the job's id. */
export function archiveValidators({ jobId, endedAt }: ArchiveIdentity): { etag: string; lastModified: Date } {
  return { etag: entityTagOf(`archive ${jobId}`), lastModified: new Date(endedAt) };
}

export class Archive {
  readonly bytes: number;
  readonly #sources: ArchiveSources;
  readonly #parts: readonly ArchivePart[];

  constructor(sources: ArchiveSources, parts: readonly ArchivePart[]) {
    this.#sources = sources;
    this.#parts = parts;
    this.bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** Streams bytes `start` to `end` (inclusive). Destroying the stream closes its open files and requests. */
  read(start = 0, end = this.bytes - 1): Readable {
    return streamed(this.#chunks(start, end));
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    let ahead: Readable | undefined;
    try {
      const ranges = [...this.#ranges(start, end)];
      for (const [index, range] of ranges.entries()) {
        const current = ahead ?? this.#open(range);
        const next = ranges[index + 1];
        ahead = undefined;
        let rest = range.end + 1 - range.start;
        for await (const chunk of current) {
          rest -= (chunk as Buffer).length;
          if (next !== undefined && rest <= AHEAD_BYTES) {
            ahead ??= this.#open(next);
          }
          yield chunk as Buffer;
        }
      }
    } finally {
      ahead?.destroy();
    }
  }

  /** The ranges of parts that make up bytes `start` to `end` of the archive. */
  *#ranges(start: number, end: number): Generator<PartRange, undefined> {
    let offset = 0;
    for (const part of this.#parts) {
      const range = { part, start: Math.max(start - offset, 0), end: Math.min(end - offset, part.bytes - 1) };
      if (range.start <= range.end) {
        yield range;
      }
      offset += part.bytes;
    }
  }

  /** Opens a part, and reads its first bytes. */
  #open({ part, start, end }: PartRange): Readable {
    const stream =
      'key' in part
        ? this.#sources.storage.read(part.key, start, end)
        : streamed(segmentHeaders(this.#sources, part.describes, start, end));
    // Keeps an early error from being thrown: the reader meets it when it reaches this part.
    stream.on('error', () => undefined);
    stream.read(0);
    return stream;
  }
}

/**
 * Yields bytes `start` to `end` (inclusive) of a segment's headers in the central directory, and removes its temporary
 * files at the end. The headers are generated from the segment's index on every read: they contain the segment's offset
 * in the archive, which is unknown when the segment is written, and they are three times as long as the index.
 */
async function* segmentHeaders(
  { storage, engine, scratch, ranges }: ArchiveSources,
  { segmentIndexKey, ...place }: DescribedSegment,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  await using folder = await temporaryFolder(scratch);
  const indexPath = await storage.materialise(segmentIndexKey, join(folder.path, 'index'));
  const headersPath = join(folder.path, 'headers');
  await engine.writeHeaders({ ...place, indexPath, headersPath });
  yield* ranges.read(headersPath, start, end);
}
