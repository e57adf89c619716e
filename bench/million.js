/** A million items through the running service: upload, 202, complete, download, with the seconds and memory of each. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

import { startService } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { watchProcesses } from './processes.js';
import { report } from './report.js';
import { captioned, writeBody } from './workload.js';

/** @param {{ items?: number, format?: 'png' | 'svg' | 'both', captions?: boolean, verify?: boolean, json?: string }} options */
export async function million({ items = 1_000_000, format = 'png', captions = false, verify = false, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  const bodyPath = join(folder, 'body.ndjson');
  writeBody(bodyPath, items, { format, verify: verify ? 'all' : 'none' }, captions ? captioned : undefined);
  const service = await startService({ credits: items, parent: folder, environment: UNLIMITED });
  try {
    const watch = watchProcesses(service.pid);
    const started = performance.now();
    const job = await post(service, bodyPath);
    const accepted = performance.now();
    const state = await ended(service, job);
    const complete = performance.now();
    const { peakSum, processes } = watch.stop();
    const isRead = !verify || (state.verified === items && state.unread === 0);
    if (state.status !== 'complete' || state.completed !== items || !isRead) {
      throw new Error(`ended as ${JSON.stringify(state)}`);
    }
    const lagMs = await eventLoopDelayP99Ms(service);

    const downloadStarted = performance.now();
    const bytes = await download(service, job);
    const downloadSeconds = (performance.now() - downloadStarted) / 1000;

    const seconds = (complete - started) / 1000;
    report(
      'million',
      [
        {
          name: `${items} items as ${format}${captions ? ' with captions' : ''}${verify ? ', read back' : ''}, POST to complete`,
          seconds,
          itemsPerSecond: Math.round(items / seconds),
          bytesPerItem: Math.round(bytes / items),
          peakRssBytes: peakSum,
          eventLoopDelayP99Ms: lagMs,
        },
        { name: 'upload and check, to the 202', seconds: (accepted - started) / 1000 },
        { name: 'render and zip, to complete', seconds: (complete - accepted) / 1000 },
        { name: 'download', seconds: downloadSeconds, bytesPerSecond: Math.round(bytes / downloadSeconds) },
        ...processes.map(({ role, bytes: peakRssBytes, cpuSeconds }) => ({
          name: `process: ${role}`,
          peakRssBytes,
          cpuSeconds,
        })),
      ],
      { json },
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The API process's own measure since its start. */
async function eventLoopDelayP99Ms({ url }) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^qrpress_nodejs_eventloop_lag_p99_seconds ([\d.e+-]+)/m.exec(text)?.[1];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 10_000) / 10;
}
