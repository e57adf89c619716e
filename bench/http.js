/** The service under many callers: jobs that are finished beside those that are accepted, polls, growth over a backlog, and what a small job waits for beside others. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { closedLoop, openLoop, polls } from './http/loads.js';
import { cpuSecondsOf } from './processes.js';
import { report } from './report.js';
import { writeBody } from './workload.js';

const CREDITS = 1_000_000_000;

/**
 * @param {{ items?: number, json?: string, seconds?: string, connections?: string, sizes?: string, rate?: string, only?: string }} options
 *   `items`: of the big job; `only`: parts to be measured, of `closed`, `open`, `polls`, `beside`, `download`
 */
export async function http({
  items = 1_000_000,
  json,
  seconds = '10',
  connections = '8,100,1000',
  sizes = '10',
  rate = '100',
  only,
}) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const results = [];
  const parts = only?.split(',') ?? ['closed', 'open', 'polls', 'beside', 'download'];
  const service = await startService({ credits: CREDITS, parent: folder, environment: UNLIMITED });
  const target = { apis: [service.url], all: [service.url], key: service.key };
  const measure = async (name, work) => {
    const before = cpuSecondsOf(service.pid);
    const figures = await work();
    figures.cpuSeconds = Math.round(100 * (cpuSecondsOf(service.pid) - before)) / 100;
    results.push({ name, ...figures });
    console.log(name, JSON.stringify(figures));
  };
  try {
    for (const size of parts.includes('closed') ? numbers(sizes) : [])
      for (const count of numbers(connections))
        await measure(`closed loop, ${size} items, ${count} connections`, () =>
          closedLoop(target, { connections: count, items: size, seconds: Number(seconds) }),
        );
    if (parts.includes('open'))
      await measure(`open loop, 10 items, ${rate} a second`, () =>
        openLoop(target, { jobsPerSecond: Number(rate), items: 10, seconds: Number(seconds) }),
      );
    if (['polls', 'beside', 'download'].some((part) => parts.includes(part))) {
      const small = join(folder, 'small.ndjson');
      writeBody(small, 10, { format: 'png' });
      const job = await post(service, small);
      await ended(service, job);
      if (parts.includes('polls'))
        for (const count of [8, 100])
          await measure(`polls, ${count} connections`, () =>
            polls(target, job.jobId, { connections: count, seconds: Number(seconds) }),
          );
      const bodyPath = join(folder, 'body.ndjson');
      writeBody(bodyPath, items, { format: 'png' });
      let big;
      if (parts.includes('beside'))
        await measure(`polls beside a job of ${items} items`, () => {
          const over = post(service, bodyPath).then((accepted) => ended(service, (big = accepted)));
          return polls(target, job.jobId, { connections: 8, everyMs: 2, until: over });
        });
      if (parts.includes('download')) {
        big ??= await post(service, bodyPath);
        await ended(service, big);
        await measure('download', async () => {
          const started = performance.now();
          const bytes = await download(service, big);
          return { bytesPerSecond: Math.round((bytes * 1000) / (performance.now() - started)) };
        });
      }
    }
    report('http', results, { json });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
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
