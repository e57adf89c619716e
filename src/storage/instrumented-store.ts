/** Wraps a blob store: times its operations, counts failures and records spans. */

import { inSpan } from '../platform/tracing/spans.js';
import type { BlobStore } from './blob-store.js';

/** Metrics of blob operations. */
export interface StorageObserver {
  done: (operation: string, seconds: number) => void;
  failed: (operation: string) => void;
}

export function instrumentStore(store: BlobStore, { done, failed }: StorageObserver): BlobStore {
  const timed = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work();
    } catch (error) {
      failed(operation);
      throw error;
    } finally {
      done(operation, (performance.now() - started) / 1_000);
    }
  };
  const { cut } = store;
  return {
    adopt: (blobs) =>
      inSpan('store', { 'qrpress.blobs': blobs.length }, () => timed('adopt', () => store.adopt(blobs))),
    cut:
      cut &&
      ((path, blobs) =>
        inSpan('store', { 'qrpress.blobs': blobs.length }, () => timed('adopt', () => cut(path, blobs)))),
    materialise: (...blob) => inSpan('fetch', {}, () => timed('materialise', () => store.materialise(...blob))),
    // Not timed: the reader sets the pace of a stream, and a download would make as many spans as it has chunks.
    read: (...range) => store.read(...range).once('error', () => failed('read')),
    size: (key) => timed('size', () => store.size(key)),
    delete: (keys) => inSpan('delete', {}, () => timed('delete', () => store.delete(keys))),
    deleteAll: (prefix) => inSpan('delete', {}, () => timed('delete', () => store.deleteAll(prefix))),
    // Not timed: only commands use it.
    list: (prefix) => store.list(prefix),
    check: () => timed('check', () => store.check()),
    close: () => store.close(),
    // `Required` makes the compiler ask for optional members too.
  } satisfies { [Member in keyof Required<BlobStore>]: BlobStore[Member] };
}
