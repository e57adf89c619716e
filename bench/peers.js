/** The whole way against the usual hand-made pipeline: npm `qrcode` in a pool of threads, and archiver. */

import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { ZipArchive } from 'archiver';
import { Piscina } from 'piscina';

import { startService } from '../scripts/service-process.js';
import { download, ended, post, UNLIMITED } from './client.js';
import { report } from './report.js';
import { url60, writeBody } from './workload.js';

/** Items that the peer renders in some seconds; its speed does not depend on their number. */
const PEER_ITEMS = 2_000;
const PEER = 'npm qrcode + archiver';

export async function peers({ items = 1_000_000, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  try {
    const peer = await renderWithPeer(join(folder, 'peer.zip'));
    const own = await renderWithService(folder, items);
    report(
      'peers',
      [
        { name: PEER, ...peer },
        {
          name: 'qrpress, POST to the last byte',
          ...own,
          ratioTo: { [PEER]: own.itemsPerSecond / peer.itemsPerSecond },
        },
      ],
      { json },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function renderWithPeer(path) {
  const threads = availableParallelism();
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./peer-worker.js', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
  });
  const started = performance.now();
  const archive = new ZipArchive({ store: true });
  const file = archive.pipe(createWriteStream(path));
  const batch = 50;
  await Promise.all(
    Array.from({ length: PEER_ITEMS / batch }, async (_, position) => {
      const data = Array.from({ length: batch }, (__, index) => url60(position * batch + index));
      const images = await pool.run(data);
      images.forEach((image, index) => {
        archive.append(Buffer.from(image), { name: `${position * batch + index}.png` });
      });
    }),
  );
  await archive.finalize();
  await finished(file);
  const seconds = (performance.now() - started) / 1000;
  await pool.destroy();
  return { itemsPerSecond: PEER_ITEMS / seconds, bytesPerItem: Math.round(statSync(path).size / PEER_ITEMS) };
}

async function renderWithService(folder, items) {
  const bodyPath = join(folder, 'body.ndjson');
  writeBody(bodyPath, items, { format: 'png' });
  const service = await startService({ credits: items, parent: folder, environment: UNLIMITED });
  try {
    const started = performance.now();
    const job = await post(service, bodyPath);
    await ended(service, job);
    const bytes = await download(service, job);
    const seconds = (performance.now() - started) / 1000;
    return { itemsPerSecond: items / seconds, bytesPerItem: Math.round(bytes / items) };
  } finally {
    await service.stop();
  }
}
