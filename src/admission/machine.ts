/** The machine's resources: memory and open files that the process may have, and the free disk below its data folder. */

import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { diskOf, RESERVED_DISK_BYTES } from '../disk.js';

export interface Machine {
  memoryBytes: number;
  /** Bytes that may still be written. */
  freeDiskBytes: () => Promise<number>;
}

export function machineOf(dataDir: string): Machine {
  return {
    memoryBytes: Math.min(totalmem(), memoryLimit()),
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

/** Of the control group that the process is in (version 2, then 1); infinite where there is none. */
function memoryLimit(): number {
  for (const path of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const bytes = Number(readFileSync(path, 'utf8'));
      if (bytes > 0) {
        return bytes;
      }
    } catch {
      // Another version of control groups, or another system.
    }
  }
  return Number.POSITIVE_INFINITY;
}
