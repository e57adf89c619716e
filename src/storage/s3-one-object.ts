/** Objects of a bucket as one object, put together inside the bucket as far as S3 can, and URLs that a client fetches it with. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { FileOffer, OneObject } from './blob-store.js';
import { type ComposedBlob, isCopied, type Part, planParts } from './compose-plan.js';
import { named } from './s3-error.js';
import type { Slots } from './slots.js';

const PARTS_AT_ONCE = 3;

export interface S3OneObjectOptions {
  client: S3Client;
  /** Bounds the memory that uploads take together. */
  uploads: Slots;
  /** Where a blob is. @throws RangeError when the key is none */
  object: (key: string) => { Bucket: string; Key: string };
  read: (key: string, start: number, end: number) => Readable;
}

/** A part of an upload that is under way. */
interface PartPlace {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
  PartNumber: number;
}

export class S3OneObject implements OneObject {
  readonly #options: S3OneObjectOptions;

  constructor(options: S3OneObjectOptions) {
    this.#options = options;
  }

  async compose(key: string, blobs: readonly ComposedBlob[]): Promise<void> {
    const endTurn = await this.#options.uploads.take();
    try {
      await named('compose', key, this.#upload(key, planParts(blobs)));
    } finally {
      endTurn();
    }
  }

  presign(key: string, { seconds, filename, mediaType }: FileOffer): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#options.object(key),
      ResponseContentDisposition: `attachment; filename="${filename}"`,
      ResponseContentType: mediaType,
    });
    return named('presign', key, getSignedUrl(this.#options.client, command, { expiresIn: seconds }));
  }

  async #upload(key: string, parts: readonly Part[]): Promise<void> {
    const { client, object } = this.#options;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object(key)));
    const upload = { ...object(key), UploadId };
    try {
      const Parts = await this.#storeParts(upload, parts);
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    } catch (error) {
      // What cannot be aborted now is aborted when everything below the job's prefix is deleted.
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw error;
    }
  }

  /** Returns when nothing is under way any more, also after an error: a part that came after the upload's end would stay. */
  async #storeParts(upload: Omit<PartPlace, 'PartNumber'>, parts: readonly Part[]) {
    const stored: { PartNumber: number; ETag: string | undefined }[] = [];
    const queue = parts.entries();
    let isBroken = false;
    const storeNext = async () => {
      for (const [index, part] of queue) {
        if (isBroken) {
          return;
        }
        const PartNumber = index + 1;
        try {
          stored[index] = { PartNumber, ETag: await this.#storePart({ ...upload, PartNumber }, part) };
        } catch (error) {
          isBroken = true;
          throw error;
        }
      }
    };
    const outcomes = await Promise.allSettled(Array.from({ length: PARTS_AT_ONCE }, storeNext));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        throw outcome.reason;
      }
    }
    return stored;
  }

  /** The part's entity tag. */
  async #storePart(place: PartPlace, part: Part): Promise<string | undefined> {
    const { client, object, read } = this.#options;
    const [first] = part;
    if (first !== undefined && isCopied(part)) {
      const { Bucket, Key } = object(first.key);
      const command = new UploadPartCopyCommand({
        ...place,
        CopySource: `${Bucket}/${Key}`,
        ...(!first.isWhole && { CopySourceRange: `bytes=${first.start}-${first.end}` }),
      });
      return (await client.send(command)).CopyPartResult?.ETag;
    }
    const contents: Buffer[] = [];
    for (const { key, start, end } of part) {
      contents.push(await buffer(read(key, start, end)));
    }
    return (await client.send(new UploadPartCommand({ ...place, Body: Buffer.concat(contents) }))).ETag;
  }
}
