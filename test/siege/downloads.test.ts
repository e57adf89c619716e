/** Many slow readers of one archive: what all of them hold is bounded, and a bystander's requests are answered. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AdmissionControl } from '../../src/admission/admission-control.js';
import { sqlite } from '../support/databases.js';
import { ndjson, startTestService, type TestService } from '../support/service.js';

const READERS = 200;

/** Memory that all downloads together may hold, with garbage that is not collected yet. */
const MOST_BYTES = 350_000_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

/** Asks for an archive, and takes no more than the first bytes of it. */
async function readSlowly(path: string, { key }: { key: string } = service): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

it('keeps within its bounds', { timeout: 120_000 }, async () => {
  const path = await largeArchive(service);
  const archive = await service.fetch(path, { method: 'HEAD' });
  // More than a connection's own buffers take.
  expect(Number(archive.headers.get('content-length'))).toBeGreaterThan(25_000_000);
  const before = process.memoryUsage.rss();
  const readers: Socket[] = [];
  try {
    for (let reader = 0; reader < READERS; reader += 1) {
      readers.push(await readSlowly(path));
    }
    expect((await service.fetch('/api/v1/credits')).status).toBe(200);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
  } finally {
    for (const reader of readers) reader.destroy();
  }
});

/** An archive that no connection's buffers take in whole, of that account. */
async function largeArchive({ key }: { key: string }): Promise<string> {
  const items = Array.from({ length: 8_000 }, (_, item) => `{"data":"${item} ${'x'.repeat(200)}"}`);
  const [body, headers] = ndjson(['{"format":"svg"}', ...items].join('\n'));
  const { jobId } = await service.submit(body, { ...headers, authorization: `Bearer ${key}` });
  await service.ended(jobId);
  return `/api/v1/jobs/${jobId}/download`;
}

it('counts slow readers of a manifest and of a picture, which hold files as well', { timeout: 60_000 }, async () => {
  const { key } = await service.createAccount(10_000);
  // Longer than a connection's own buffers.
  const items = Array.from({ length: 5_000 }, (_, item) => `{"data":"${'x'.repeat(2_900)}${item}"}`);
  const [body, headers] = ndjson(['{"style":{"scale":1,"ecLevel":"L"}}', ...items].join('\n'));
  const { jobId } = await service.submit(body, { ...headers, authorization: `Bearer ${key}` });
  await service.ended(jobId);
  const before = await places('places_taken');
  const reader = await readSlowly(`/api/v1/jobs/${jobId}/manifest`, { key });
  await expect.poll(() => places('places_taken')).toBe(before + 1);
  reader.destroy();
  await expect.poll(() => places('places_taken')).toBe(before);
  const taken = vi.spyOn(AdmissionControl.prototype, 'take');
  const picture = await service.fetch(`/api/v1/jobs/${jobId}/items/7.png`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(0);
  expect(taken.mock.calls.map(([work]) => work)).toEqual(['download']);
  taken.mockRestore();
  await expect.poll(() => places('places_taken')).toBe(before);
});

it('ends a slow download for a bystander, where slow ones have every place', { timeout: 180_000 }, async () => {
  const readers: Socket[] = [];
  const own = await largeArchive(service);
  try {
    const all = await places('places');
    for (let free = all; free > 0; ) {
      const account = await service.createAccount(8_000);
      const path = await largeArchive(account);
      // Each of them gets half of what is free.
      const share = Math.max(1, Math.floor(free / 2));
      for (let reader = 0; reader < share; reader += 1) {
        readers.push(await readSlowly(path, account));
      }
      free -= share;
      await expect.poll(() => places('places_taken'), { timeout: 20_000 }).toBe(all - free);
    }
    await expect.poll(async () => (await service.fetch(own)).status, { timeout: 30_000, interval: 1_000 }).toBe(200);
    // The places of others are kept by those who take what they are sent.
    expect(await places('places_taken')).toBeGreaterThan(all - 10);
  } finally {
    for (const reader of readers) reader.destroy();
  }
});

/** Places for downloads: all there are, or those that are taken. */
async function places(figure: 'places' | 'places_taken'): Promise<number> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^qrpress_admission_${figure}\\{work="download"\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0);
}
