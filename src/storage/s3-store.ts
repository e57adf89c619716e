/** Blobs as objects of a bucket. Object keys are blob keys below the location's prefix. */

import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { forEachAtOnce } from '../platform/concurrency.js';
import {
  type BlobRange,
  type BlobStore,
  checkBlobKey,
  isBlobKey,
  type ListedBlob,
  type LocalBlob,
} from './blob-store.js';
import { ObjectRange, type Piece, ReadAhead } from './object-range.js';
import { connectS3, named, S3_TIMEOUTS, S3Error, type S3Timeouts } from './s3-connection.js';
import { MAX_PART_BYTES, S3Uploads, UPLOADS_AT_ONCE } from './s3-uploads.js';
import type { BucketLocation } from './storage-location.js';

/** Time for which the result of a check is reused. */
const CHECK_TTL_MS = 5_000;

/** Bytes that wait for a write. The stream writes them together: every write makes a round trip to another thread. */
const WRITE_BUFFER_BYTES = 1024 * 1024;

/** Begins with a dot, so it is never a valid blob key. */
const PROBE = '.probe';

export class S3Store implements BlobStore {
  readonly #client: S3Client;
  readonly #timeouts: S3Timeouts;
  readonly #bucket: string;
  /** Empty, or ends with `/`. */
  readonly #root: string;
  readonly #uploads: S3Uploads;
  readonly #readAhead = new ReadAhead();
  #lastCheck: { at: number; outcome: Promise<void> } | undefined;

  constructor(location: BucketLocation, timeouts = S3_TIMEOUTS, maxPartBytes = MAX_PART_BYTES) {
    this.#client = connectS3(location, timeouts);
    this.#uploads = new S3Uploads(this.#client, maxPartBytes);
    this.#timeouts = timeouts;
    this.#bucket = location.bucket;
    this.#root = location.prefix === '' ? '' : `${location.prefix}/`;
  }

  async adopt(blobs: readonly LocalBlob[]): Promise<void> {
    for (const { key } of blobs) {
      checkBlobKey(key);
    }
    await forEachAtOnce(blobs, UPLOADS_AT_ONCE, (blob) => this.#upload(blob));
    await Promise.all(blobs.map(({ path }) => rm(path, { force: true })));
  }

  readonly cut: BlobStore['cut'] = async (path, blobs) => {
    await forEachAtOnce(blobs, UPLOADS_AT_ONCE, ({ key, ranges }) =>
      named('upload', key, this.#uploads.store(this.#object(key), path, ranges)),
    );
  };

  async materialise(key: string, scratch: string, ranges?: readonly BlobRange[]): Promise<string> {
    await writeFile(scratch, '');
    const wanted = ranges?.filter(({ bytes }) => bytes > 0) ?? [{ offset: 0, bytes: Number.POSITIVE_INFINITY }];
    await Promise.all(
      wanted.map(({ offset, bytes }) =>
        pipeline(
          // Comes first because it throws for an invalid key. Otherwise the file stream would never be destroyed.
          this.#range(key, offset, offset + bytes - 1, true),
          createWriteStream(scratch, { flags: 'r+', start: offset, highWaterMark: WRITE_BUFFER_BYTES }),
        ),
      ),
    );
    return scratch;
  }

  read(key: string, start: number, end: number): Readable {
    return this.#range(key, start, end, false);
  }

  async size(key: string): Promise<number | undefined> {
    const where = this.#object(key);
    try {
      return (await named('HEAD', key, this.#client.send(new HeadObjectCommand(where)))).ContentLength;
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map((key) => named('delete', key, this.#client.send(new DeleteObjectCommand(this.#object(key))))),
    );
  }

  async deleteAll(prefix: string): Promise<void> {
    checkBlobKey(prefix);
    const below = { Bucket: this.#bucket, Prefix: `${this.#root}${prefix}/` };
    await named('delete', prefix, this.#abortUploads(below));
    await named('delete', prefix, this.#deleteObjects(below));
  }

  async *list(prefix: string): AsyncGenerator<ListedBlob> {
    checkBlobKey(prefix);
    const below = { Bucket: this.#bucket, Prefix: `${this.#root}${prefix}/` };
    const pages = paginateListObjectsV2({ client: this.#client }, below)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await named('list', prefix, pages.next());
      if (done === true) {
        return;
      }
      for (const { Key = '', Size = 0, LastModified = new Date() } of value.Contents ?? []) {
        const key = Key.slice(this.#root.length);
        if (isBlobKey(key)) {
          yield { key, bytes: Size, writtenAt: LastModified.getTime() };
        }
      }
    }
  }

  /** The result is reused for some seconds, so that frequent checks cost nothing. */
  check(): Promise<void> {
    const now = performance.now();
    if (this.#lastCheck === undefined || now - this.#lastCheck.at >= CHECK_TTL_MS) {
      this.#lastCheck = { at: now, outcome: named('write', PROBE, this.#writeProbe()) };
    }
    return this.#lastCheck.outcome;
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  async #upload({ key, path }: LocalBlob): Promise<void> {
    try {
      await named('upload', key, this.#uploads.store(this.#object(key), path));
    } catch (error) {
      // A missing file may have been uploaded before a crash.
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || (await this.size(key)) === undefined) {
        throw error;
      }
    }
  }

  #range(key: string, start: number, end: number, isFileReader: boolean): ObjectRange {
    checkBlobKey(key);
    return new ObjectRange(start, end, {
      name: key,
      isFileReader,
      readAhead: this.#readAhead,
      attempts: this.#timeouts.attempts,
      fetch: (from, to, entityTag, signal) => this.#fetch(key, [from, to], entityTag, signal),
    });
  }

  async #fetch(
    key: string,
    range: [number, number],
    entityTag: string | undefined,
    abortSignal: AbortSignal,
  ): Promise<Piece> {
    const [start, end] = range;
    const command = new GetObjectCommand({ ...this.#object(key), Range: `bytes=${start}-${end}`, IfMatch: entityTag });
    try {
      const { Body, ETag, ContentRange } = await named('GET', key, this.#client.send(command, { abortSignal }));
      const [, first, bytes] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange ?? '') ?? [];
      return {
        entityTag: ETag,
        objectBytes: Number(first) === start ? Number(bytes) : undefined,
        body: Body as Readable,
      };
    } catch (error) {
      if (error instanceof S3Error && error.status === 416) {
        if (start === 0) {
          return { entityTag: undefined, objectBytes: 0, body: Readable.from([]) };
        }
        throw new Error(`${key} ends before byte ${end}`, { cause: error });
      }
      throw error;
    }
  }

  /** Runs before the objects are deleted, so that no upload becomes an object afterwards. */
  async #abortUploads(below: { Bucket: string; Prefix: string }): Promise<void> {
    let page: ListMultipartUploadsCommandOutput | undefined;
    do {
      const after = { KeyMarker: page?.NextKeyMarker, UploadIdMarker: page?.NextUploadIdMarker };
      page = await this.#client.send(new ListMultipartUploadsCommand({ ...below, ...after }));
      for (const { Key, UploadId } of page.Uploads ?? []) {
        const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId });
        await this.#client.send(command).catch((error: unknown) => {
          if (!(error instanceof S3ServiceException && error.name === 'NoSuchUpload')) {
            throw error;
          }
        });
      }
    } while (page.IsTruncated === true);
  }

  async #deleteObjects(below: { Bucket: string; Prefix: string }): Promise<void> {
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, below)) {
      if (Contents.length > 0) {
        const Objects = Contents.map(({ Key }) => ({ Key }));
        const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } });
        const { Errors: [failure] = [] } = await this.#client.send(command);
        if (failure !== undefined) {
          throw new Error(`${failure.Key}: ${failure.Code}: ${failure.Message}`);
        }
      }
    }
  }

  /** Ends in time also where each request waits for others that nobody answers. */
  async #writeProbe(): Promise<void> {
    const where = { Bucket: this.#bucket, Key: this.#root + PROBE };
    const { checkMs } = this.#timeouts;
    const abortSignal = AbortSignal.timeout(checkMs);
    const late = new Promise<never>((_, reject) => {
      const reason = new S3Error(`S3: could not write to the bucket within ${checkMs} ms`, undefined);
      abortSignal.addEventListener('abort', () => reject(reason));
    });
    const write = async () => {
      await this.#client.send(new PutObjectCommand({ ...where, Body: 'probe' }), { abortSignal });
      await this.#client.send(new DeleteObjectCommand(where), { abortSignal });
    };
    await Promise.race([write(), late]);
  }

  #object(key: string): { Bucket: string; Key: string } {
    checkBlobKey(key);
    return { Bucket: this.#bucket, Key: this.#root + key };
  }
}
