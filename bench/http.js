/**
 * The service under many callers: jobs that are finished beside those that are accepted, polls, growth over a backlog, and what
 * a small job waits for beside others.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { download, ended, post } from './client.js';
import { makeBacklog } from './http/backlog.js';
import { closedLoop, openLoop, overload, polls } from './http/loads.js';
import { profiler } from './http/profile.js';
import { startBareKoa, startServices } from './http/services.js';
import { report } from './report.js';
import { writeBody } from './workload.js';

const PARTS = ['closed', 'open', 'polls', 'beside', 'download', 'fair', 'overload', 'profile', 'backlog'];

/** Parts that start services of their own. */
const APART = new Set(['profile', 'backlog']);

/** Jobs a second of which it is measured how long they take beside others. */
const BESIDE_PER_SECOND = 5;

/** Callers that post one job after the other, of the organisation whose small jobs are measured. */
const POSTERS = 100;

/** Ratio of the offered load to the capacity. */
const OVERLOAD = 10;

/**
 * @param {{ items?: number, json?: string, seconds?: string, connections?: string, sizes?: string, rate?: string, only?: string,
 *   database?: string, apis?: string, workers?: string, backlog?: string }} options
 *   `items`: of the big job; `only`: some of `PARTS`; `apis` and `workers`: processes on MariaDB and Redis, in place of one
 */
export async function http({
  items = 1_000_000,
  json,
  seconds = '10',
  connections = '8,50,100',
  sizes = '1,10,100',
  rate = '100',
  only = PARTS.join(),
  database = 'sqlite',
  apis = '1',
  workers = '0',
  backlog = '0,1000,100000',
}) {
  const parts = only.split(',');
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`--only takes some of ${PARTS.join()}, not ${unknown}`);
  if (!['sqlite', 'mariadb'].includes(database)) throw new Error('--database is sqlite or mariadb');
  const parent = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const shape = { parent, database, apis: Number(apis), workers: Number(workers) };
  const run = new Run({ items, seconds: Number(seconds), parent });
  try {
    if (parts.some((part) => !APART.has(part))) {
      const services = await startServices(shape);
      try {
        await run.all(services, parts, {
          sizes: numbers(sizes),
          connections: numbers(connections),
          rate: Number(rate),
        });
      } finally {
        await services.stop();
      }
    }
    if (parts.includes('profile')) await run.profile(shape, numbers(connections));
    if (parts.includes('backlog') && database === 'sqlite' && shape.workers === 0)
      for (const jobs of numbers(backlog)) await run.backlog(jobs);
    report('http', run.results, { json, database, apis: shape.apis, workers: shape.workers });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

class Run {
  results = [];

  constructor({ items, seconds, parent }) {
    Object.assign(this, { items, seconds, parent });
  }

  tell(name, figures) {
    this.results.push({ name, ...figures });
    console.log(name, JSON.stringify(figures));
  }

  /** `isLong`: the memory is told as it was during the time, and not its peak alone. */
  async measure(services, name, work, isLong = false) {
    const watch = services.watch();
    const figures = await work();
    const { rssBytes, cpuSecondsOf: _, ...used } = watch.stop();
    this.tell(name, { ...figures, ...used, ...(isLong && { rssBytes }) });
  }

  async all(services, parts, { sizes, connections, rate }) {
    const { seconds } = this;
    const commitsPerSecond = await services.commitsPerSecond();
    if (commitsPerSecond !== undefined) this.tell('commits of the database, one after the other', { commitsPerSecond });
    // A running service is warm: its code is compiled and its connections are open.
    await closedLoop(services, { connections: 8, items: 10, seconds: 3 });
    const steps = {
      closed: async () => {
        for (const size of sizes)
          for (const count of connections)
            await this.measure(services, `closed loop, ${size} items, ${count} connections`, () =>
              closedLoop(services, { connections: count, items: size, seconds }),
            );
      },
      open: () =>
        this.measure(services, `open loop, 10 items, ${rate} a second`, () =>
          openLoop(services, { jobsPerSecond: rate, items: 10, seconds }),
        ),
      polls: () => this.polls(services),
      beside: () => this.besideBig(services),
      download: () => this.download(services),
      fair: () => this.fair(services),
      overload: () => this.overload(services),
    };
    for (const part of PARTS) if (parts.includes(part)) await steps[part]?.();
  }

  /** Polls, each time after as many of a bare Koa. */
  async polls(services) {
    const jobId = await this.smallJob(services);
    const bareKoa = await startBareKoa();
    for (const connections of [8, 100]) {
      const load = { connections, seconds: this.seconds };
      const cpuBefore = bareKoa.cpuSeconds();
      const bare = await polls({ apis: [bareKoa.url], key: services.key }, jobId, load);
      const bareCpuSeconds = Math.round(100 * (bareKoa.cpuSeconds() - cpuBefore)) / 100;
      await this.measure(services, `polls, ${connections} connections`, async () => {
        const figures = await polls(services, jobId, load);
        const ofBareKoa = Math.round((100 * figures.pollsPerSecond) / bare.pollsPerSecond) / 100;
        return { ...figures, bareKoaPerSecond: bare.pollsPerSecond, bareCpuSeconds, ofBareKoa };
      });
    }
    bareKoa.stop();
  }

  async smallJob(services) {
    const path = join(this.parent, 'small.ndjson');
    writeBody(path, 10, { format: 'png' });
    const job = await post(services, path);
    await ended(services, job);
    return job.jobId;
  }

  postBig(services) {
    const path = join(this.parent, 'big.ndjson');
    writeBody(path, this.items, { format: 'png' });
    return post(services, path);
  }

  async besideBig(services) {
    const jobId = await this.smallJob(services);
    await this.measure(services, `polls beside a job of ${this.items} items`, () =>
      polls(services, jobId, {
        connections: 8,
        perSecond: 1000,
        until: this.postBig(services).then((big) => ended(services, big)),
      }),
    );
  }

  async download(services) {
    const big = await this.postBig(services);
    await ended(services, big);
    await this.measure(services, 'download', async () => {
      const started = performance.now();
      const bytes = await download(services, big);
      return { bytesPerSecond: Math.round((bytes * 1000) / (performance.now() - started)) };
    });
  }

  /** Small jobs while others have much to do. */
  async fair(services) {
    const { seconds } = this;
    const small = { jobsPerSecond: BESIDE_PER_SECOND, items: 10 };
    await this.measure(services, `small jobs beside one of ${this.items} items`, async () => {
      const big = this.postBig(services).then((job) => ended(services, job));
      return openLoop(services, { ...small, until: big });
    });
    await this.measure(services, `small jobs beside ${POSTERS} posters of their organisation`, async () => {
      const posters = closedLoop(services, { connections: POSTERS, items: 10, seconds });
      return openLoop(services, { ...small, until: posters });
    });
  }

  async overload(services) {
    const { seconds } = this;
    const { finishedPerSecond: peak } = await closedLoop(services, { connections: 100, items: 10, seconds });
    const jobId = await this.smallJob(services);
    const name = `${OVERLOAD} times the ${peak} jobs a second of 100 connections`;
    const work = async () => {
      const figures = overload(services, { jobsPerSecond: OVERLOAD * peak, items: 10, seconds });
      const { p99Ms } = await polls(services, jobId, { connections: 2, perSecond: 100, until: figures });
      const held = await figures;
      return { ...held, ofPeak: Math.round((100 * held.finishedPerSecond) / peak) / 100, pollsP99Ms: p99Ms };
    };
    await this.measure(services, name, work, true);
  }

  /**
   * Microseconds of a core that a job of ten items takes in each part of each process. Their sum is measured without samples,
   * which cost time themselves; the samples tell the shares.
   */
  async profile(shape, connections) {
    const profile = profiler();
    const services = await startServices({ ...shape, environment: profile.environment });
    try {
      await closedLoop(services, { connections: 8, items: 10, seconds: 3 });
      for (const count of connections) {
        const load = { connections: count, items: 10, seconds: this.seconds };
        const watch = services.watch();
        const { acceptedPerSecond } = await closedLoop(services, load);
        const { cpuSecondsOf } = watch.stop();
        const shares = await profile.sampled(() => closedLoop(services, load));
        const jobs = acceptedPerSecond * this.seconds;
        for (const process of ['api', 'engine']) {
          const microseconds = (1e6 * cpuSecondsOf[process]) / jobs;
          const parts = Object.entries(shares[process]).map(([part, share]) => [
            part,
            Math.round(share * microseconds),
          ]);
          this.tell(`a job's microseconds, ${count} connections: ${process}`, {
            all: Math.round(microseconds),
            ...Object.fromEntries(parts.filter(([, each]) => each > 0).toSorted((a, b) => b[1] - a[1])),
          });
        }
      }
    } finally {
      await services.stop();
      profile.close();
    }
  }

  /** A start with many jobs that wait, how they are drawn, and small jobs of another organisation meanwhile. */
  async backlog(jobs) {
    const dataDir = await makeBacklog(this.parent, jobs);
    const shape = { parent: this.parent, dataDir, database: 'sqlite', apis: 1, workers: 0 };
    const services = await startServices(shape);
    try {
      await this.measure(services, `${jobs} jobs of 101 items that wait`, async () => {
        const other = { ...services, key: services.otherKey() };
        const figures = await openLoop(other, { jobsPerSecond: BESIDE_PER_SECOND, items: 10, seconds: this.seconds });
        return { startSeconds: services.startSeconds, ...figures };
      });
    } finally {
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}

function numbers(list) {
  return list.split(',').map(Number);
}

/** Jobs of `size` items, posted one after the other on every connection. */
export async function smallJobs(service, size) {
  const target = { apis: [service.url], all: [service.url], key: service.key };
  const { finishedPerSecond, p99Ms } = await closedLoop(target, { connections: 10, items: size, seconds: 5 });
  return { requestsPerSecond: finishedPerSecond, p99Ms };
}
