/** What a setting does: small jobs a second, and the seconds of a big one, as installed and with one thing changed at a time. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { startService } from '../scripts/service-process.js';
import { ended, post, UNLIMITED } from './client.js';
import { smallJobs } from './http.js';
import { report } from './report.js';
import { openServers } from './scaling/servers.js';
import { writeBody } from './workload.js';

/** A file system in memory, where Linux has one: syncing costs nothing there. */
const MEMORY = '/dev/shm';

/** @param {{ items?: number, json?: string }} options */
export async function tuning({ items = 1_000_000, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const body = join(folder, 'body.ndjson');
  writeBody(body, items, { format: 'png' });
  const servers = await openServers();
  const { QRPRESS_DATABASE_URL, QRPRESS_REDIS_URL } = servers.environment;
  const threads = availableParallelism();
  const variants = [
    { name: 'as installed' },
    { name: 'one render thread', environment: { QRPRESS_RENDER_THREADS: '1' } },
    { name: 'twice the render threads', environment: { QRPRESS_RENDER_THREADS: String(2 * threads) } },
    { name: 'data folder in memory', parent: MEMORY },
    { name: 'MariaDB', environment: { QRPRESS_DATABASE_URL } },
    { name: 'MariaDB, Redis', environment: { QRPRESS_DATABASE_URL, QRPRESS_REDIS_URL } },
  ];
  try {
    const results = [];
    for (const { name, environment, parent = folder } of variants)
      if (existsSync(parent)) results.push({ name, ...(await measure({ body, items, parent, environment })) });
    report('tuning', results, { json });
  } finally {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ body, items, parent, environment }) {
  const service = await startService({ credits: 1_000_000_000, parent, environment: { ...UNLIMITED, ...environment } });
  try {
    const { requestsPerSecond, p99Ms } = await smallJobs(service, 1);
    const started = performance.now();
    const { status } = await ended(service, await post(service, body));
    if (status !== 'complete') throw new Error(`ended as ${status}`);
    const seconds = (performance.now() - started) / 1000;
    return { smallJobsPerSecond: requestsPerSecond, p99Ms, seconds, itemsPerSecond: Math.round(items / seconds) };
  } finally {
    await service.stop();
  }
}
