/** Looks into a blob store. */

import type { BlobStore } from '../../src/storage/blob-store.js';

/** The names directly below `prefix/`, in order. */
export async function namesBelow(store: BlobStore, prefix: string): Promise<string[]> {
  const names = new Set<string>();
  for await (const { key } of store.list(prefix)) {
    names.add(key.slice(prefix.length + 1).split('/')[0] as string);
  }
  return [...names];
}
