/** Makes a folder's entries durable: a file that was synced can still lose its name in a power cut. */

import { open } from 'node:fs/promises';
import { sharedSync } from '../shared-sync.js';

/** Folders that are being synced now, so that concurrent callers share the work. */
const underWay = new Map<string, { sync: () => Promise<void>; callers: number }>();

/** Resolves when every entry that the folder had at the call survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const shared = underWay.get(folder) ?? { sync: sharedSync(() => syncNow(folder)), callers: 0 };
  underWay.set(folder, shared);
  shared.callers += 1;
  try {
    await shared.sync();
  } finally {
    shared.callers -= 1;
    if (shared.callers === 0) {
      underWay.delete(folder);
    }
  }
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
