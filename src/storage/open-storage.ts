/** The store of a location. */

import type { BlobStore } from './blob-store.js';
import { FileSystemStore } from './file-system-store.js';
import type { StorageLocation } from './storage-location.js';

/** Asks nothing of the store yet: `check` does. */
export async function openStorage(location: StorageLocation): Promise<BlobStore> {
  if (location.kind === 'folder') {
    return new FileSystemStore(location.path);
  }
  // The S3 client takes a quarter of a second to load, which most installations can do without.
  const { S3Store } = await import('./s3-store.js');
  return new S3Store(location);
}
