/**
 * The store of spools, segments, their indexes and archive ends: a small interface over a file system or an object
 * store.
 */

import type { Readable } from 'node:stream';

/** A finished local file, and the key to store it under. The file need not be synced. */
export interface LocalBlob {
  key: string;
  path: string;
}

/** A blob made of ranges of a local file, one after the other. */
export interface CutBlob {
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
}

/**
 * Keys follow `blob-key.ts`, such as `jobs/<id>/segment-000001.zip`. Every method throws `RangeError` for any other
 * key.
 */
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
   * A local store returns the blob's own file, which must not be changed. `engineFolders` in `service.ts` lets the
   * engine process read it.
   */
  materialise(key: string, scratch: string, ranges?: readonly BlobRange[]): Promise<string>;
  /** Streams bytes `start` to `end` (inclusive) of a blob. The stream fails when the blob is shorter. */
  read(key: string, start: number, end: number): Readable;
  /** The blob's size in bytes. Undefined when there is no such blob. */
  size(key: string): Promise<number | undefined>;
  /** When the blob was written (Unix milliseconds), by the store's clock. Undefined when there is no such blob. */
  writtenAt(key: string): Promise<number | undefined>;
  /** Deletes blobs. Keys without a blob are ignored. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes every blob below `prefix/`, if any. */
  deleteAll(prefix: string): Promise<void>;
  /** Names directly below `prefix/`. */
  list(prefix: string): Promise<string[]>;
  /** Every blob below `prefix/` with its size, sorted by key. */
  listAll(prefix: string): AsyncIterable<ListedBlob>;
  /** Resolves when the store is writable. Rejects with the reason when it is not. */
  check(): Promise<void>;
  /** Closes connections. The store must not be used afterwards. */
  close(): Promise<void>;
}
