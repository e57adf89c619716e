/** The memory of a process and all below it, as Linux counts it. */

import { readdirSync, readFileSync } from 'node:fs';

/** Samples the resident memory of a process and all below it; `stop` gives the peak of the sum and of each, in bytes. */
export function watchMemory(rootPid, intervalMs = 25) {
  let peakSum = 0;
  const peaks = new Map();
  const sample = () => {
    let sum = 0;
    for (const { pid, role } of processTree(rootPid)) {
      const bytes = residentBytes(pid);
      sum += bytes;
      peaks.set(pid, { role, bytes: Math.max(bytes, peaks.get(pid)?.bytes ?? 0) });
    }
    peakSum = Math.max(peakSum, sum);
  };
  const timer = setInterval(sample, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return {
        peakSum,
        processes: [...peaks.entries()].map(([pid, { role, bytes }]) => ({ pid, role, bytes })),
      };
    },
  };
}

function processTree(rootPid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ');
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // The process ended while its folder was being read.
    }
  }
  const tree = [{ pid: rootPid, role: 'api' }];
  for (const { pid } of tree)
    for (const [child, parent] of parents) if (parent === pid) tree.push({ pid: child, role: 'farm' });
  return tree;
}

function residentBytes(pid) {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
