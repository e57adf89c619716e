/** A store of blobs, with a clock on every operation. */

import type { BlobStore } from '../storage/blob-store.js';
import type { Metrics } from './metrics.js';

export function observeStore(store: BlobStore, metrics: Metrics): BlobStore {
  const { done, failed } = metrics.storage();
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
  const { cut, oneObject } = store;
  return {
    adopt: (blobs) => timed('adopt', () => store.adopt(blobs)),
    cut: cut && ((...file) => timed('adopt', () => cut(...file))),
    materialise: (...blob) => timed('materialise', () => store.materialise(...blob)),
    // How long a stream takes is up to who reads it.
    read: (...range) => store.read(...range).once('error', () => failed('read')),
    size: (key) => timed('size', () => store.size(key)),
    writtenAt: (key) => timed('size', () => store.writtenAt(key)),
    delete: (keys) => timed('delete', () => store.delete(keys)),
    deleteAll: (prefix) => timed('delete', () => store.deleteAll(prefix)),
    list: (prefix) => timed('list', () => store.list(prefix)),
    check: () => timed('check', () => store.check()),
    oneObject: oneObject && {
      compose: (key, blobs) => timed('compose', () => oneObject.compose(key, blobs)),
      presign: (key, offer) => timed('presign', () => oneObject.presign(key, offer)),
    },
    close: () => store.close(),
    // A member that may be absent is not to be forgotten here.
  } satisfies { [Member in keyof Required<BlobStore>]: BlobStore[Member] };
}
