/** The store of spools, segments, their indexes and archive ends: the small interface behind which stands a file system or an object store. */

import type { Readable } from 'node:stream';

/** A finished local file, which need not be synced, and the key that it is to be found under. */
export interface LocalBlob {
  key: string;
  path: string;
}

/** A blob that is ranges of a local file, one after the other. */
export interface CutBlob {
  key: string;
  ranges: readonly BlobRange[];
}

/** `bytes` bytes of a blob, or a file, from `offset` on; `bytes` may be 0. */
export interface BlobRange {
  offset: number;
  bytes: number;
}

export interface ListedBlob {
  key: string;
  bytes: number;
}

/** Keys are as `blob-key.ts` says, such as `jobs/<id>/segment-000001.zip`; a method given another throws `RangeError`. */
export interface BlobStore {
  /** Moves files in under their keys, durably; replaces blobs of those keys. Idempotent after a crash: a file that is gone was moved. */
  adopt(blobs: readonly LocalBlob[]): Promise<void>;
  /**
   * Stores blobs that are cut from a local file, durably; the file stays. Absent where the engine reads blobs in place:
   * a store that is elsewhere may do much for each read of a large blob, little for one of a small blob.
   */
  readonly cut?: ((path: string, blobs: readonly CutBlob[]) => Promise<void>) | undefined;
  /**
   * The path of a local file that the engine can read the blob from: at least `ranges` (the whole blob when absent) stand
   * in it, at their own offsets. A store that is elsewhere writes it at `scratch`, replacing what is there, and the caller
   * removes it, whatever the outcome; a local store answers with the blob's own file, which is not to be changed.
   */
  materialise(key: string, scratch: string, ranges?: readonly BlobRange[]): Promise<string>;
  /** Bytes `start` to `end` (inclusive) of a blob, as a stream that ends with an error when the blob is shorter. */
  read(key: string, start: number, end: number): Readable;
  /** The blob's size in bytes; undefined where there is none. */
  size(key: string): Promise<number | undefined>;
  /** When the blob was written (Unix milliseconds), by the clock of whoever keeps it; undefined where there is none. */
  writtenAt(key: string): Promise<number | undefined>;
  /** Deletes blobs; those that are not there are fine. */
  delete(keys: readonly string[]): Promise<void>;
  /** Deletes every blob below `prefix/`. Deleting nothing is fine. */
  deleteAll(prefix: string): Promise<void>;
  /** Names directly below `prefix/`. */
  list(prefix: string): Promise<string[]>;
  /** Every blob below `prefix/` with its size, in the order of their keys. */
  listAll(prefix: string): AsyncIterable<ListedBlob>;
  /** Resolves when the store can be written to; rejects with the reason. */
  check(): Promise<void>;
  /** Lets go of connections; nothing is asked of the store afterwards. */
  close(): Promise<void>;
}
