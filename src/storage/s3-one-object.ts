/** Objects of a bucket as one object, put together inside the bucket as far as S3 can, and URLs that a client fetches it with. */

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, type S3Client, UploadPartCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { FileOffer, OneObject } from './blob-store.js';
import { type ComposedBlob, isCopied, type Part, planParts } from './compose-plan.js';
import { named } from './s3-error.js';
import { type PartPlace, storeInParts } from './s3-multipart.js';
import { Slots } from './slots.js';

/** Bounds the memory that parts take which cannot be copied. */
const COMPOSED_AT_ONCE = 2;

export interface S3OneObjectOptions {
  client: S3Client;
  /** Where a blob is. @throws RangeError when the key is none */
  object: (key: string) => { Bucket: string; Key: string };
  read: (key: string, start: number, end: number) => Readable;
}

export class S3OneObject implements OneObject {
  readonly #options: S3OneObjectOptions;
  readonly #turns = new Slots(COMPOSED_AT_ONCE);

  constructor(options: S3OneObjectOptions) {
    this.#options = options;
  }

  async compose(key: string, blobs: readonly ComposedBlob[]): Promise<void> {
    const endTurn = await this.#turns.take();
    try {
      const { client, object } = this.#options;
      const parts = planParts(blobs);
      await named(
        'compose',
        key,
        storeInParts(client, object(key), parts, (...part) => this.#storePart(...part)),
      );
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
