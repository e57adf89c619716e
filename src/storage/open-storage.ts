/** Opens the store of the blobs. */

import type { BlobStore } from './blob-store.js';
import { FileSystemStore } from './file-system-store.js';
import type { StorageLocation } from './storage-location.js';

/** Opens the store at a location. Does not contact it: `check` does. */
export async function openStorage(location: StorageLocation): Promise<BlobStore> {
  if (location.kind === 'folder') {
    return new FileSystemStore(location.path);
  }
  // Loaded on demand: the S3 client takes a quarter of a second to load, and most installations do not need it.
  const { S3Store } = await import('./s3-store.js');
  return new S3Store(location);
}
