/** The machine's resources: the memory that the process may use, and the free disk below its data folder. */

import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';

/** Left free on the disk, so that jobs under way do not run out of space. */
const RESERVED_BYTES = 512 * 1024 * 1024;

export interface Machine {
  memoryBytes: number;
  /** Bytes that may still be written. */
  freeDiskBytes: () => Promise<number>;
}

export function machineOf(dataDir: string): Machine {
  return {
    memoryBytes: Math.min(totalmem(), memoryLimit()),
    freeDiskBytes: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      return Math.max(0, bavail * bsize - RESERVED_BYTES);
    },
  };
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
