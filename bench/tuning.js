/**
 * The effect of a setting: small jobs a second, and the seconds of a big one, as installed and with one thing changed at a time. All
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
  const threads = availableParallelism();
  const variants = [
    { name: 'as installed' },
    { name: 'QRPRESS_RENDER_THREADS=1', environment: { QRPRESS_RENDER_THREADS: '1' } },
    { name: 'twice the render threads', environment: { QRPRESS_RENDER_THREADS: String(2 * threads) } },
    { name: 'QRPRESS_CHUNK_ITEMS=5000', environment: { QRPRESS_CHUNK_ITEMS: '5000' } },
    { name: 'QRPRESS_CHUNK_ITEMS=10000', environment: { QRPRESS_CHUNK_ITEMS: '10000' } },
    { name: 'QRPRESS_CHUNK_ITEMS=100000', environment: { QRPRESS_CHUNK_ITEMS: '100000' } },
    { name: 'data folder in memory', parent: MEMORY },
    { name: 'MariaDB', servers: ['QRPRESS_DATABASE_URL'] },
    { name: 'MariaDB, 2 connections', servers: ['QRPRESS_DATABASE_URL'], environment: connections(2) },
    { name: 'MariaDB, 40 connections', servers: ['QRPRESS_DATABASE_URL'], environment: connections(40) },
    { name: 'MariaDB and Redis', servers: ['QRPRESS_DATABASE_URL', 'QRPRESS_REDIS_URL'] },
  ].filter(({ parent = folder }) => existsSync(parent));
  try {
    const runs = variants.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, variant] of variants.entries())
        runs[index].push(await measure(body, { parent: folder, ...variant }));
    }
    const results = variants.map(({ name }, index) => ({ name, ...medians(runs[index]) }));
    report('tuning', results, { json });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function connections(number) {
  return { QRPRESS_DATABASE_CONNECTIONS: String(number) };
}

/** `servers`: the settings that name one which the service uses, with a database of its own. */
async function measure(body, { parent, environment, servers: named = [] }) {
  const servers = named.length > 0 ? await openServers() : undefined;
  const urls = Object.fromEntries(named.map((name) => [name, servers.environment[name]]));
  const settings = { ...UNLIMITED, ...urls, ...environment };
  try {
    return await measureService(body, { credits: 1_000_000_000, parent, environment: settings });
  } finally {
    await servers?.close();
  }
}

async function measureService(body, options) {
  const service = await startService(options);
  try {
    // The big one first: small ones leave a queue behind.
    const started = performance.now();
    const { status } = await ended(service, await post(service, body));
    if (status !== 'complete') throw new Error(`ended as ${status}`);
    const seconds = (performance.now() - started) / 1000;
    const { requestsPerSecond, p99Ms } = await smallJobs(service, 1);
    return { seconds, smallJobsPerSecond: requestsPerSecond, p99Ms };
  } finally {
    await service.stop();
  }
}

/** Figure by figure. */
function medians(runs) {
  const median = (figure) => runs.map((run) => run[figure]).toSorted((one, other) => one - other)[runs.length >> 1];
  return Object.fromEntries(Object.keys(runs[0]).map((figure) => [figure, median(figure)]));
}
