/** The machine's resources: memory and open files that the process may have, and the free disk below its data folder. */

import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { diskOf, RESERVED_DISK_BYTES } from '../platform/disk.js';

export interface Machine {
  memoryBytes: number;
  /** Bytes that may still be written. */
  freeDiskBytes: () => Promise<number>;
}

export function machineOf(dataDir: string): Machine {
  return {
    // 0: the process is in no control group that limits its memory.
    memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    freeDiskBytes: async () => {
      const { freeBytes } = await diskOf(dataDir);
      return Math.max(0, freeBytes - RESERVED_DISK_BYTES);
    },
  };
}

/** Files and connections that the process may have open. Infinite where the system does not say. */
export function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
