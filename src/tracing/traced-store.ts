/** A store of blobs, with a span around what is stored and fetched for a request or a job. */

import type { BlobStore } from '../storage/blob-store.js';
import type { Tracing } from './tracing.js';

export function traceStore(store: BlobStore, tracing: Tracing | undefined): BlobStore {
  if (tracing === undefined) {
    return store;
  }
  const { cut, oneObject } = store;
  return {
    adopt: (blobs) => tracing.step('store', { 'qrpress.blobs': blobs.length }, () => store.adopt(blobs)),
    cut: cut && ((path, blobs) => tracing.step('store', { 'qrpress.blobs': blobs.length }, () => cut(path, blobs))),
    materialise: (...blob) => tracing.step('fetch', {}, () => store.materialise(...blob)),
    // A download's spans would be as many as its chunks; its request's lasts to the last byte.
    read: (...range) => store.read(...range),
    size: (key) => store.size(key),
    writtenAt: (key) => store.writtenAt(key),
    delete: (keys) => tracing.step('delete', {}, () => store.delete(keys)),
    deleteAll: (prefix) => tracing.step('delete', {}, () => store.deleteAll(prefix)),
    list: (prefix) => store.list(prefix),
    check: () => store.check(),
    oneObject: oneObject && {
      compose: (key, blobs) => tracing.step('compose', {}, () => oneObject.compose(key, blobs)),
      presign: (key, offer) => tracing.step('presign', {}, () => oneObject.presign(key, offer)),
    },
    close: () => store.close(),
    // A member that may be absent is not to be forgotten here.
  } satisfies { [Member in keyof Required<BlobStore>]: BlobStore[Member] };
}
