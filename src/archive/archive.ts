/**
 * A complete job's archive: its segments in order, their headers and the end, read as one file that is never written as
 * a whole.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ArchiveSources, type DescribedSegment, segmentHeaders } from './segment-headers.js';

/** A stored blob of the archive. `bytes` is at least 1. */
interface StoredPart {
  key: string;
  bytes: number;
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

interface ArchiveIdentity {
  jobId: string;
  /** Unix milliseconds. */
  endedAt: number;
}

/** A strong entity tag (RFC 9110, section 8.8.3), quoted: a hash of a text that is unique to the representation. */
export function entityTagOf(identity: string): string {
  return `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
}

export class Archive {
  readonly bytes: number;
  /**
   * A strong entity tag (RFC 9110, section 8.8.3), quoted. A job only ever has one archive. The tag does not reveal the
   * job's id.
   */
  readonly entityTag: string;
  readonly lastModified: Date;
  readonly #sources: ArchiveSources;
  readonly #parts: readonly ArchivePart[];

  constructor(sources: ArchiveSources, parts: readonly ArchivePart[], { jobId, endedAt }: ArchiveIdentity) {
    this.#sources = sources;
    this.#parts = parts;
    this.bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    this.entityTag = entityTagOf(`archive ${jobId}`);
    this.lastModified = new Date(endedAt);
  }

  /** Streams bytes `start` to `end` (inclusive). Destroying the stream closes its open files and requests. */
  read(start = 0, end = this.bytes - 1): Readable {
    return streamed(this.#chunks(start, end));
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    const ranges = this.#ranges(start, end);
    let ahead = this.#open(ranges.next().value);
    try {
      while (ahead !== undefined) {
        const current: Readable = ahead;
        ahead = this.#open(ranges.next().value);
        for await (const chunk of current) {
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

  /** Opens a part ahead, so that its first bytes are ready when the previous part ends. */
  #open(range: PartRange | undefined): Readable | undefined {
    if (range === undefined) {
      return undefined;
    }
    const { part, start, end } = range;
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

/** A stream that asks for one buffer at a time. */
function streamed(buffers: AsyncGenerator<Buffer>): Readable {
  return Readable.from(buffers, { objectMode: false, highWaterMark: 1 });
}
