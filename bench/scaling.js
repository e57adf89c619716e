/**
 * Past one machine: one process, then an API with 1, 2 and 4 workers on the same cores, so that the difference is what
 * distribution costs. It wants a MariaDB and a Redis that run on this machine and serve nobody else meanwhile.
 */

import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { createKey, startProcess } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { cpuSecondsOf } from './processes.js';
import { report } from './report.js';
import { installedServices } from './scaling/bucket.js';
import { openServers } from './scaling/servers.js';
import { writeBody } from './workload.js';

const MILLION = 1_000_000;

const MEASURED_WORKERS = [1, 2, 4];
const ROUNDS = 3;

export async function scaling({ items = MILLION, json }) {
  const { results, serviceTimes } = await measured(items);
  report('scaling', results, { json, serviceTimes });
}

async function measured(items) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const body = join(folder, 'body.ndjson');
  writeBody(body, items, { format: 'png' });
  const servers = await openServers();
  try {
    const services = installedServices();
    if (services.length === 0) console.error('without a bucket: bench/README.md says what serves one');
    // A database has one storage, and every run has its own.
    const run = async (shape) => {
      const own = await openServers();
      return measure({ folder, body, items, servers: own, ...shape }).finally(() => own.close());
    };
    const inFolder = [0, ...MEASURED_WORKERS].map((workers) => () => run({ apis: 1, workers }));
    const inBuckets = services.map((service) => () => onBucket(service, folder, run));
    const [alone, ...others] = await medians([...inFolder, ...inBuckets]);
    const results = [{ name: 'one process', ...alone.figures }];
    for (const [index, workers] of MEASURED_WORKERS.entries()) {
      const { figures } = others[index];
      const overhead = figures.seconds / alone.figures.seconds - 1;
      results.push({ name: `an API and ${workers} of the workers`, ...figures, overhead });
    }
    for (const [index, { name }] of services.entries()) {
      const { figures } = others[MEASURED_WORKERS.length + index];
      const overhead = figures.seconds / (alone.figures.seconds + figures.writeSeconds) - 1;
      results.push({ name: `two APIs and two workers on a bucket of ${name}`, ...figures, overhead });
    }
    const serviceTimes = { ...others[0].times, commitSeconds: await servers.commitSeconds() };
    return { results, serviceTimes };
  } finally {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run of two APIs and two workers on a new bucket, and then the bucket's own seconds for what the job left in it. */
async function onBucket({ open }, folder, run) {
  const bucket = await open(folder);
  try {
    const { figures, times, jobId } = await run({ apis: 2, workers: 2, bucket });
    return { times, figures: { ...figures, ...(await bucket.ownSeconds(jobId)) } };
  } finally {
    await bucket.close();
  }
}

/** For each shape the medians of its figures and times; the shapes take turns, since a machine has its slow minutes. */
async function medians(shapes) {
  const runs = shapes.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, run] of shapes.entries()) runs[index].push(await run());
  return runs.map((ofShape) => ({
    figures: medianOf(ofShape.map(({ figures }) => figures)),
    times: medianOf(ofShape.map(({ times }) => times)),
  }));
}

/** Records of the same numbers, each number's median. */
function medianOf(records) {
  const median = (name) =>
    records.map((record) => record[name]).toSorted((one, other) => one - other)[records.length >> 1];
  return Object.fromEntries(Object.keys(records[0]).map((name) => [name, median(name)]));
}

/** A job of `items` by so many APIs and workers; no workers: by one process alone. */
async function measure({ folder, body, items, servers, bucket, ...shape }) {
  const parent = mkdtempSync(join(folder, 'run-'));
  const processes = [];
  try {
    await startAll(processes, { parent, servers, storage: bucket?.environment, ...shape });
    const [api] = processes;
    const service = { ...api, key: createKey(api.env, 2 * items) };
    // The first job warms what a service that runs has warm, and takes longer than the one that is measured.
    const warming = performance.now();
    await ended(service, await post(service, body));
    // Polls take time of the cores that all share: none is sent as long as the job cannot have ended.
    const pollAfterMs = (performance.now() - warming) / 4;

    const workBefore = await work(servers, processes, bucket);
    const started = performance.now();
    const job = await post(service, body);
    const state = await ended(service, job, pollAfterMs);
    const seconds = (performance.now() - started) / 1000;
    if (state.status !== 'complete' || state.completed !== items) throw new Error(`ended as ${JSON.stringify(state)}`);
    const workAfter = await work(servers, processes, bucket);
    const grown = (figure) => workAfter[figure] - workBefore[figure];
    const bytes = await download(service, job);

    const { readConfig } = await import('../dist/config/config.js');
    const { chunkItems } = readConfig(api.env);
    const chunks = Math.ceil(items / chunkItems);
    return {
      jobId: job.jobId,
      figures: {
        seconds,
        itemsPerSecond: Math.round(items / seconds),
        cpuSeconds: grown('apiSeconds') + grown('workerSeconds'),
        ...(bucket && { bucketCpuSeconds: grown('bucketSeconds') }),
      },
      times: {
        chunkItems,
        checkSeconds: (grown('apiSeconds') * MILLION) / items,
        bodyBytes: (statSync(body).size * MILLION) / items,
        chunkSeconds: grown('workerSeconds') / chunks,
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

/** Starts the APIs and then the workers, which share the cores as evenly as they can be shared. */
async function startAll(processes, { parent, servers, apis, workers, storage }) {
  const cores = availableParallelism();
  const all = `0-${cores - 1}`;
  const shared = {
    ...servers.environment,
    ...(storage ?? { QRPRESS_STORAGE_URL: `file://${join(parent, 'storage')}` }),
    QRPRESS_SECRETS: 'bench:only-for-this-benchmark-on-this-machine',
  };
  const start = async (role, affinity, threads, environment) => {
    const dataDir = join(parent, String(processes.length));
    mkdirSync(dataDir);
    const settings = { ...UNLIMITED, QRPRESS_RENDER_THREADS: String(threads), ...environment };
    const started = { dataDir, role, launcher: ['taskset', '-c', affinity], environment: settings };
    processes.push({ role, ...(await startProcess(started)) });
  };
  if (workers === 0) return start('all', all, cores, {});
  for (let api = 0; api < apis; api++) await start('api', all, cores, shared);
  for (let worker = 0; worker < workers; worker++) {
    const affinity = workers === 1 ? all : String(worker % cores);
    await start('worker', affinity, Math.max(1, Math.floor(cores / workers)), shared);
  }
}

/** Totals of all processes so far: operations, and seconds of one core. */
async function work(servers, processes, bucket) {
  const secondsOf = (isMeant) =>
    processes.filter(({ role }) => isMeant(role)).reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  return {
    ...(await servers.work()),
    apiSeconds: secondsOf((role) => role !== 'worker'),
    workerSeconds: secondsOf((role) => role === 'worker'),
    bucketSeconds: bucket === undefined ? 0 : cpuSecondsOf(bucket.pid),
  };
}
