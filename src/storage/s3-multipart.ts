/** Objects that are stored in parts, in any order: nothing is under such a key before all of them are there. */

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { forEachAtOnce } from './at-once.js';

const PARTS_AT_ONCE = 3;

/** A part of an upload that is under way. */
export interface PartPlace {
  Bucket: string;
  Key: string;
  UploadId: string | undefined;
  PartNumber: number;
}

/** Stores a part; resolves with its entity tag. */
export type StorePart<Part> = (place: PartPlace, part: Part) => Promise<string | undefined>;

export async function storeInParts<Part>(
  client: S3Client,
  object: { Bucket: string; Key: string },
  parts: readonly Part[],
  storePart: StorePart<Part>,
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
    // What cannot be aborted now is aborted when everything below the job's prefix is deleted.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}
