/** Local files as objects. */

import { type FileHandle, open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { Slots, forEachAtOnce } from './at-once.js';
import type { BlobRange } from './blob-store.js';
import { ReusedMemory } from './reused-memory.js';

/**
 * A larger file is uploaded in parts. Most segments are not: an object in parts costs a service three requests more, and many
 * of them write each byte twice, into the part and then into the object.
 */
export const LARGEST_PART_BYTES = 48 * 1024 * 1024;

/** Bounds the memory that uploads take together. */
export const UPLOADS_AT_ONCE = 6;

export class S3Uploads {
  readonly #client: S3Client;
  readonly #slots = new Slots(UPLOADS_AT_ONCE);
  readonly #largestPart: number;
  readonly #memory: ReusedMemory;

  constructor(client: S3Client, largestPartBytes: number) {
    this.#client = client;
    this.#largestPart = largestPartBytes;
    this.#memory = new ReusedMemory(largestPartBytes);
  }

  /** Stores ranges of a file, all of it when absent, one after the other. */
  async store(object: { Bucket: string; Key: string }, path: string, ranges?: readonly BlobRange[]): Promise<void> {
    const file = await open(path);
    try {
      const [part = [], ...others] = partsOf(
        ranges ?? [{ offset: 0, bytes: (await file.stat()).size }],
        this.#largestPart,
      );
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

  async #withContent<T>(file: FileHandle, part: Part, send: (content: Buffer) => Promise<T>): Promise<T> {
    const endTurn = await this.#slots.take();
    try {
      const memory = this.#memory.take();
      const result = await send(await read(file, part, memory));
      // Not after an error: a connection that is given up may still be sending what stands in it.
      this.#memory.giveBack(memory);
      return result;
    } finally {
      endTurn();
    }
  }
}

type Part = readonly BlobRange[];

/** The ranges cut into as few parts as can be, of equal size, so that those that are uploaded at once end together. */
function partsOf(ranges: readonly BlobRange[], largestPart: number): Part[] {
  const total = ranges.reduce((sum, { bytes }) => sum + bytes, 0);
  const partBytes = Math.ceil(total / Math.ceil(total / largestPart));
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

/** A part of an upload that is under way. */
interface PartPlace {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
  PartNumber: number;
}

/** Stores a part; resolves with its entity tag. */
type StorePart = (place: PartPlace, part: Part) => Promise<string | undefined>;

/** Stores an object in parts, in any order: nothing is under its key before all of them are there. */
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
    // An upload that cannot be aborted now is aborted when everything below the job's prefix is deleted.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
