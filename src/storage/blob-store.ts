/**
 * The store of spools, segments, their indexes and archive ends: a small interface over a file system or an object
 * store.
 */

import type { Readable } from 'node:stream';

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

/** A key is names separated by `/`, of ASCII letters, digits, `-`, `_` and `.`. No name begins with `.`. */
export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}

/** @throws RangeError when `key` is not a valid blob key */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) {
    throw new RangeError(`not a blob key: ${JSON.stringify(key)}`);
  }
}

/** A finished local file, and the key to store it under. The file need not be synced. */
export interface LocalBlob {
  key: string;
  path: string;
}

/** A blob made of ranges of a local file, one after the other. */
interface CutBlob {
  key: string;
  ranges: readonly BlobRange[];
}

/** `bytes` bytes of a blob or file, starting at `offset`. `bytes` may be 0. */
export interface BlobRange {
  offset: number;
  bytes: number;
}

export interface ListedBlob {
  key: string;
  bytes: number;
  /** When it was written (Unix milliseconds), by the store's clock. */
  writtenAt: number;
}

/** Keys are such as `jobs/<id>/segment-000001.zip`. Every method throws `RangeError` for what is not a valid key. */
export interface BlobStore {
  /**
   * Moves files into the store, durably, replacing blobs of the same keys. Idempotent: a file that is gone was moved
   * before a crash.
   */
  adopt(blobs: readonly LocalBlob[]): Promise<void>;
  /**
   * Stores blobs cut from a local file, durably. The file stays. Absent when the engine reads blobs in place. A remote
   * store defines it, since each read of a large blob may cost it much, and a read of a small blob little.
   */
  readonly cut?: ((path: string, blobs: readonly CutBlob[]) => Promise<void>) | undefined;
  /**
   * Returns the path of a local file from which the engine can read the blob. The file holds at least `ranges`
   * (default: the whole blob), at their own offsets.
   * A remote store writes the file at `scratch`, replacing what is there; the caller removes it, whatever the outcome.
   * A local store returns the blob's own file, which must not be changed. `engineFolders` in `service-base.ts` lets the
   * engine process read it.
   */
  materialise(key: string, scratch: string, ranges?: readonly BlobRange[]): Promise<string>;
  /** Streams bytes `start` to `end` (inclusive) of a blob. The stream fails when the blob is shorter. */
  read(key: string, start: number, end: number): Readable;
  /** The blob's size in bytes. Undefined when there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** Deletes blobs. Keys without a blob are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes every blob below `prefix/`, if any. */
  deleteAll(prefix: string): Promise<void>;
  /** Every blob below `prefix/`, sorted by key. */
  list(prefix: string): AsyncIterable<ListedBlob>;
  /** Resolves when the store is writable. Rejects with the reason when it is not. */
  check(): Promise<void>;
  /** Closes connections. The store must not be used afterwards. */
  close(): Promise<void>;
}

/** True when there is a blob below `prefix/`. */
export async function hasBlobs(store: BlobStore, prefix: string): Promise<boolean> {
  const { done } = await store.list(prefix)[Symbol.asyncIterator]().next();
  return done !== true;
}
