/** The service under load from autocannon: small jobs, status polls, downloads. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import autocannon from 'autocannon';

import { startService } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { report } from './report.js';
import { url60, writeBody } from './workload.js';

const SECONDS = 5;
const CONNECTIONS = 10;

export async function http({ items = 200_000, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const service = await startService({ credits: 1_000_000_000, parent: folder, environment: UNLIMITED });
  const authorization = `Bearer ${service.key}`;
  try {
    const results = [];
    for (const size of [1, 10, 100]) {
      const figures = await smallJobs(service, size);
      results.push({ name: `POST, ${size} items`, ...figures, itemsPerSecond: figures.requestsPerSecond * size });
    }
    const bodyPath = join(folder, 'body.ndjson');
    writeBody(bodyPath, items, { format: 'png' });
    const job = await post(service, bodyPath);
    await ended(service, job);
    const status = { path: `/api/v1/jobs/${job.jobId}`, headers: { authorization } };
    results.push({ name: 'GET status', ...(await load(service, status)) });
    const started = performance.now();
    const bytes = await download(service, job);
    results.push({ name: 'GET download', bytesPerSecond: Math.round((bytes * 1000) / (performance.now() - started)) });
    report('http', results, { json });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Jobs of `size` items, posted one after the other on every connection. */
export function smallJobs(service, size) {
  const body = JSON.stringify({ items: Array.from({ length: size }, (_, index) => ({ data: url60(index) })) });
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  return load(service, { path: '/api/v1/jobs', method: 'POST', headers, body });
}

async function load({ url }, { path, ...request }) {
  const result = await autocannon({ url: url + path, connections: CONNECTIONS, duration: SECONDS, ...request });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`);
  const { p50, p99, p99_9 } = result.latency;
  return { requestsPerSecond: result.requests.average, p50Ms: p50, p99Ms: p99, p999Ms: p99_9 };
}
