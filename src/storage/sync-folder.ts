/** Makes a folder's entries durable. A synced file can still lose its name in a power cut. */

import { open } from 'node:fs/promises';
import { sharedSync } from '../platform/concurrency.js';

/** Folders being synced now, so that concurrent callers share one sync. */
const inFlight = new Map<string, { sync: () => Promise<void>; callers: number }>();

/** Resolves when every entry that the folder had at the call would survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const shared = inFlight.get(folder) ?? { sync: sharedSync(() => syncNow(folder)), callers: 0 };
  inFlight.set(folder, shared);
  shared.callers += 1;
  try {
    await shared.sync();
  } finally {
    shared.callers -= 1;
    if (shared.callers === 0) {
      inFlight.delete(folder);
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
