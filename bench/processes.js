/** The memory and the processor time of a process and all below it, as Linux counts them. */

import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const TICKS_PER_SECOND = 100;

/**
 * Samples a process and all below it. `stop` gives the resident memory of all together at each sample and its peak, and for
 * each process its own peak, in bytes, and the seconds it ran on a processor meanwhile.
 */
export function watchProcesses(rootPid, intervalMs = 25) {
  const sums = [];
  const seen = new Map();
  const sample = () => {
    let sum = 0;
    for (const { pid, role, cpuSeconds } of processTree(rootPid)) {
      const bytes = residentBytes(pid);
      sum += bytes;
      const { bytes: earlierBytes = 0, since = cpuSeconds } = seen.get(pid) ?? {};
      seen.set(pid, { role, bytes: Math.max(bytes, earlierBytes), since, until: cpuSeconds });
    }
    sums.push(sum);
  };
  sample();
  const timer = setInterval(sample, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return {
        sums,
        peakSum: Math.max(...sums),
        processes: [...seen.values()].map(({ role, bytes, since, until }) => ({
          role,
          bytes,
          cpuSeconds: until - since,
        })),
      };
    },
  };
}

/** Seconds that a process and all below it have run on a processor. */
export function cpuSecondsOf(rootPid) {
  return processTree(rootPid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

function processTree(rootPid) {
  const running = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ');
      const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
      running.set(Number(name), { parent: Number(fields[1]), cpuSeconds });
    } catch {
      // The process ended while its folder was being read.
    }
  }
  const tree = [{ pid: rootPid, role: 'api', cpuSeconds: running.get(rootPid)?.cpuSeconds ?? 0 }];
  for (const { pid } of tree)
    for (const [child, { parent, cpuSeconds }] of running)
      if (parent === pid) tree.push({ pid: child, role: 'engine', cpuSeconds });
  return tree;
}

function residentBytes(pid) {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
