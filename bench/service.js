/** Starts the service for a benchmark: its own process, a temporary data folder, an organisation with credits, and a key. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** @returns {Promise<{url: string, key: string, pid: number, dataDir: string, stop: () => Promise<void>}>} */
export async function startService({ credits, environment = {} }) {
  const dataDir = mkdtempSync(join(process.env.QRPRESS_BENCH_DIR ?? tmpdir(), 'qrpress-bench-'));
  const port = await freePort();
  const env = {
    ...process.env,
    QRPRESS_DATA_DIR: dataDir,
    QRPRESS_PORT: String(port),
    QRPRESS_LOG_LEVEL: 'warn',
    QRPRESS_RATE_LIMIT_CREATE: '10000000',
    QRPRESS_RATE_LIMIT_READ: '10000000',
    ...environment,
  };
  delete env.QRPRESS_BENCH_DIR;
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);

  const admin = (...words) =>
    JSON.parse(execFileSync(process.execPath, [MAIN, 'admin', ...words, '--json'], { env, encoding: 'utf8' }));
  const { organisationId } = admin(
    ...['create-organisation', '--name', 'Benchmark', '--owner', 'bench@example.org', '--credits', String(credits)],
  );
  const { key } = admin('create-key', '--organisation', organisationId, '--name', 'benchmark');

  return {
    url,
    key,
    pid: child.pid,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(url, child) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`);
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

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
      return { peakSum, processes: [...peaks.entries()].map(([pid, { role, bytes }]) => ({ pid, role, bytes })) };
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
