/**
 * What a setting does: small jobs a second, and the seconds of a big one, as installed and with one thing changed at a time. All
 * variants are measured in turn, and that some times over; the medians are told.
 */

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

const ROUNDS = 3;

/** @param {{ items?: number, json?: string }} options */
export async function tuning({ items = 1_000_000, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const body = join(folder, 'body.ndjson');
  writeBody(body, items, { format: 'png' });
  const servers = await openServers();
  const threads = availableParallelism();
  const { QRPRESS_DATABASE_URL, QRPRESS_REDIS_URL } = servers.environment;
  const mariadb = (settings) => ({ QRPRESS_DATABASE_URL, ...settings });
  const variants = [
    { name: 'as installed' },
    { name: 'QRPRESS_RENDER_THREADS=1', environment: { QRPRESS_RENDER_THREADS: '1' } },
    { name: 'twice the render threads', environment: { QRPRESS_RENDER_THREADS: String(2 * threads) } },
    { name: 'QRPRESS_CHUNK_ITEMS=2500', environment: { QRPRESS_CHUNK_ITEMS: '2500' } },
    { name: 'QRPRESS_CHUNK_ITEMS=40000', environment: { QRPRESS_CHUNK_ITEMS: '40000' } },
    { name: 'data folder in memory', parent: MEMORY },
    { name: 'MariaDB', environment: mariadb() },
    { name: 'MariaDB, 2 connections', environment: mariadb({ QRPRESS_DATABASE_CONNECTIONS: '2' }) },
    { name: 'MariaDB, 40 connections', environment: mariadb({ QRPRESS_DATABASE_CONNECTIONS: '40' }) },
    { name: 'MariaDB and Redis', environment: mariadb({ QRPRESS_REDIS_URL }) },
  ].filter(({ parent = folder }) => existsSync(parent));
  try {
    const runs = variants.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, { environment, parent = folder }] of variants.entries())
        runs[index].push(await measure({ body, parent, environment }));
    }
    const results = variants.map(({ name }, index) => ({ name, ...medians(runs[index]) }));
    report('tuning', results, { json });
  } finally {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ body, parent, environment }) {
  const service = await startService({ credits: 1_000_000_000, parent, environment: { ...UNLIMITED, ...environment } });
  try {
    const { requestsPerSecond, p99Ms } = await smallJobs(service, 1);
    const started = performance.now();
    const { status } = await ended(service, await post(service, body));
    if (status !== 'complete') throw new Error(`ended as ${status}`);
    return { smallJobsPerSecond: requestsPerSecond, p99Ms, seconds: (performance.now() - started) / 1000 };
  } finally {
    await service.stop();
  }
}

/** Figure by figure. */
function medians(runs) {
  const median = (figure) => runs.map((run) => run[figure]).toSorted((one, other) => one - other)[runs.length >> 1];
  return Object.fromEntries(Object.keys(runs[0]).map((figure) => [figure, median(figure)]));
}
