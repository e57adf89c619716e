/**
 * Past one machine. Measured: one process, then an API with 1, 2 and 4 workers on the same cores, so that the difference is what
 * distribution costs. Simulated, with the service times of that run: 1 to 100 workers on hosts of their own. It wants a MariaDB
 * and a Redis that run on this machine and serve nobody else meanwhile.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { createKey, startProcess } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { cpuSecondsOf } from './processes.js';
import { report } from './report.js';
import { simulate } from './scaling/cluster.js';
import { openServers } from './scaling/servers.js';
import { writeBody } from './workload.js';

/** Often enough to be exact to a hundredth, and seldom enough not to count among the database's operations. */
const POLL_MS = 50;

/** Items of a chunk, as `src/render/check-body.ts` cuts them. */
const CHUNK_ITEMS = 10_000;

const MILLION = 1_000_000;

const MEASURED_WORKERS = [1, 2, 4];
const SIMULATED_WORKERS = [1, 2, 4, 8, 16, 32, 64, 100];

/** What the simulated hosts have; assumed, not measured. */
const HOSTS = { cores: 2, networkBytes: 1.25e9, storeBytes: 10e9, storeSeconds: 0.005, databaseCores: 8 };

/**
 * @param {{ items?: number, json?: string, from?: string }} options `from`: a record whose service times are simulated with, and
 *   nothing is measured
 */
export async function scaling({ items = MILLION, json, from }) {
  if (from !== undefined) {
    const { serviceTimes } = JSON.parse(readFileSync(from, 'utf8'));
    report('scaling', simulated(serviceTimes), { json, serviceTimes });
    return;
  }
  const { results, serviceTimes } = await measured(items);
  report('scaling', [...results, ...simulated(serviceTimes)], { json, serviceTimes });
}

/** A result for each number of workers: 4 workers to an API, and 4 jobs of a million items for each worker. */
export function simulated(serviceTimes) {
  return SIMULATED_WORKERS.map((workers) => {
    const hosts = { ...HOSTS, workers, apis: Math.ceil(workers / 4), jobs: Math.max(20, 4 * workers) };
    const { itemsPerSecond, load, ...figures } = simulate(serviceTimes, hosts);
    const fullest = load.slice(0, 2).map(({ name, share }) => `${name} ${Math.round(100 * share)} %`);
    return {
      name: `simulated: ${workers} workers`,
      itemsPerSecond: Math.round(itemsPerSecond),
      ...figures,
      fullest: fullest.join(', '),
    };
  });
}

async function measured(items) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const body = join(folder, 'body.ndjson');
  writeBody(body, items, { format: 'png' });
  const servers = await openServers();
  try {
    const run = (workers) => measure({ folder, body, items, servers, workers });
    const alone = await run(0);
    const results = [{ name: 'one process', ...alone.figures }];
    let serviceTimes;
    for (const workers of MEASURED_WORKERS) {
      const { figures, times } = await run(workers);
      const overhead = figures.seconds / alone.figures.seconds - 1;
      results.push({ name: `an API and ${workers} of the workers`, ...figures, overhead });
      serviceTimes ??= { ...times, commitSeconds: await servers.commitSeconds() };
    }
    return { results, serviceTimes };
  } finally {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A job of `items` by an API with so many workers, which share the cores as evenly as they can be shared; 0: by one process alone. */
async function measure({ folder, body, items, servers, workers }) {
  const parent = mkdtempSync(join(folder, 'run-'));
  const processes = [];
  const start = async (role, cores, threads, environment) => {
    const dataDir = join(parent, String(processes.length));
    mkdirSync(dataDir);
    const process = await startProcess({
      dataDir,
      role,
      launcher: ['taskset', '-c', cores],
      environment: { ...UNLIMITED, QRPRESS_RENDER_THREADS: String(threads), ...environment },
    });
    processes.push(process);
    return process;
  };
  const cores = availableParallelism();
  const all = `0-${cores - 1}`;
  try {
    const shared = {
      ...servers.environment,
      QRPRESS_STORAGE_URL: `file://${join(parent, 'storage')}`,
      QRPRESS_SECRETS: 'bench:only-for-this-benchmark',
    };
    const api = await (workers === 0 ? start('all', all, cores, {}) : start('api', all, cores, shared));
    for (let worker = 0; worker < workers; worker++)
      await start(
        'worker',
        workers === 1 ? all : String(worker % cores),
        Math.max(1, Math.floor(cores / workers)),
        shared,
      );
    const service = { ...api, key: createKey(api.env, 2 * items) };
    // The first job warms what a service that runs has warm.
    await ended(service, await post(service, body), POLL_MS);

    const before = { servers: await servers.work(), cpu: processes.map(({ pid }) => cpuSecondsOf(pid)) };
    const started = performance.now();
    const job = await post(service, body);
    const state = await ended(service, job, POLL_MS);
    const seconds = (performance.now() - started) / 1000;
    if (state.status !== 'complete' || state.completed !== items) throw new Error(`ended as ${JSON.stringify(state)}`);
    const after = { servers: await servers.work(), cpu: processes.map(({ pid }) => cpuSecondsOf(pid)) };
    const bytes = await download(service, job);

    const chunks = Math.ceil(items / CHUNK_ITEMS);
    const grown = (figure) => after.servers[figure] - before.servers[figure];
    const [apiCpu, ...workerCpu] = after.cpu.map((cpu, index) => cpu - before.cpu[index]);
    return {
      figures: {
        seconds,
        itemsPerSecond: Math.round(items / seconds),
        cpuSeconds: apiCpu + workerCpu.reduce((sum, cpu) => sum + cpu, 0),
      },
      times: {
        chunkItems: CHUNK_ITEMS,
        checkSeconds: (apiCpu * MILLION) / items,
        bodyBytes: (statSync(body).size * MILLION) / items,
        chunkSeconds: workerCpu.reduce((sum, cpu) => sum + cpu, 0) / chunks,
        spoolBytes: statSync(body).size / chunks,
        segmentBytes: bytes / chunks,
        databaseOperations: Math.round(grown('databaseOperations') / chunks),
        databaseSeconds: grown('databaseSeconds') / grown('databaseOperations'),
        redisOperations: Math.round(grown('redisOperations') / chunks),
        redisSeconds: grown('redisSeconds') / grown('redisOperations'),
      },
    };
  } finally {
    await Promise.all(processes.map(({ stop }) => stop()));
    rmSync(parent, { recursive: true, force: true });
  }
}
