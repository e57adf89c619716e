/** Uploads local files as objects. */

import { type FileHandle, open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Slots, forEachAtOnce } from '../platform/concurrency.js';
import type { BlobRange } from './blob-store.js';

/**
 * A larger file is uploaded in parts. Most segments are smaller: a multipart upload costs three more requests, and many
 * services write each byte twice, once into the part and once into the object.
 */
export const MAX_PART_BYTES = 48 * 1024 * 1024;

/** Bounds the memory of all uploads together. */
export const UPLOADS_AT_ONCE = 6;

export class S3Uploads {
  readonly #client: S3Client;
  readonly #slots = new Slots(UPLOADS_AT_ONCE);
  readonly #maxPart: number;
  readonly #memory: ReusedMemory;

  constructor(client: S3Client, maxPartBytes: number) {
    this.#client = client;
    this.#maxPart = maxPartBytes;
    this.#memory = new ReusedMemory(maxPartBytes);
  }

  /** Stores ranges of a file, one after the other. Default: the whole file. */
  async store(object: { Bucket: string; Key: string }, path: string, ranges?: readonly BlobRange[]): Promise<void> {
    const file = await open(path);
    try {
      const [part = [], ...others] = partsOf(ranges ?? [{ offset: 0, bytes: (await file.stat()).size }], this.#maxPart);
      if (others.length === 0) {
        await this.#withContent(file, part, (Body) => this.#client.send(new PutObjectCommand({ ...object, Body })));
        return;
      }
      await storeInParts(this.#client, object, [part, ...others], (place, each) =>
        this.#withContent(file, each, async (Body) => {
          return (await this.#client.send(new UploadPartCommand({ ...place, Body }))).ETag;
        }),
      );
    } finally {
      await file.close();
    }
  }

  #withContent<T>(file: FileHandle, part: Part, send: (content: Buffer) => Promise<T>): Promise<T> {
    return this.#slots.within(async () => {
      const memory = this.#memory.take();
      const result = await send(await read(file, part, memory));
      // Not after an error: an abandoned connection may still be sending from this buffer.
      this.#memory.giveBack(memory);
      return result;
    });
  }
}

/**
 * A pool of buffers: as many of one size as were ever in use at once. Allocating new ones makes the garbage collector scan
 * the whole heap each time, which doubles the processor time of a segment of 37 MB. The operating system backs only the
 * pages that have been written.
 */
class ReusedMemory {
  readonly #bytes: number;
  readonly #free: Buffer[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytes);
  }

  /**
   * Returns a buffer to the pool. Do not return one that something may still read or write: the garbage collector frees
   * it.
   */
  giveBack(memory: Buffer): void {
    this.#free.push(memory);
  }
}

type Part = readonly BlobRange[];

/** Cuts the ranges into as few parts as possible, of equal size, so that concurrent uploads end together. */
function partsOf(ranges: readonly BlobRange[], maxPartBytes: number): Part[] {
  const total = ranges.reduce((sum, { bytes }) => sum + bytes, 0);
  const partBytes = Math.ceil(total / Math.ceil(total / maxPartBytes));
  const parts: BlobRange[][] = [];
  let room = 0;
  for (const { offset, bytes } of ranges) {
    for (let done = 0; done < bytes; ) {
      if (room === 0) {
        parts.push([]);
        room = partBytes;
      }
      const taken = Math.min(bytes - done, room);
      parts.at(-1)!.push({ offset: offset + done, bytes: taken });
      done += taken;
      room -= taken;
    }
  }
  return parts;
}

async function read(file: FileHandle, part: Part, memory: Buffer): Promise<Buffer> {
  let filled = 0;
  for (const { offset, bytes } of part) {
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await file.read(memory, filled, bytes - done, offset + done);
      if (bytesRead === 0) {
        throw new Error(`a file ended at byte ${offset + done} while it was uploaded`);
      }
      done += bytesRead;
      filled += bytesRead;
    }
  }
  return memory.subarray(0, filled);
}

const PARTS_AT_ONCE = 3;

/** Identifies one part of a multipart upload. */
interface PartPlace {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
  PartNumber: number;
}

/** Stores one part and resolves with its entity tag. */
type StorePart = (place: PartPlace, part: Part) => Promise<string | undefined>;

/** Uploads the parts of an object concurrently. The object appears under its key only when all parts are there. */
async function storeInParts(
  client: S3Client,
  object: { Bucket: string; Key: string },
  parts: readonly Part[],
  storePart: StorePart,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  const upload = { ...object, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    await forEachAtOnce(parts, PARTS_AT_ONCE, async (part, index) => {
      const PartNumber = index + 1;
      Parts[index] = { PartNumber, ETag: await storePart({ ...upload, PartNumber }, part) };
    });
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
  } catch (error) {
    // An upload that cannot be aborted now is aborted when the job's prefix is deleted.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
