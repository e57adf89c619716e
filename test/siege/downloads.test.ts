/** Many slow readers of one archive: what all of them hold is bounded, and a bystander's requests are answered. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite } from '../support/databases.js';
import { ndjson, startTestService, type TestService } from '../support/service.js';

const READERS = 200;

/** What they may hold together, with what the garbage collector has not seen yet. */
const MOST_BYTES = 350_000_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

/** Asks for an archive, and takes no more than the first bytes of it. */
async function readSlowly(path: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

it('keeps within its bounds', { timeout: 120_000 }, async () => {
  const items = Array.from({ length: 8_000 }, (_, item) => `{"data":"${item} ${'x'.repeat(200)}"}`);
  const { jobId } = await service.submit(...ndjson(['{"format":"svg"}', ...items].join('\n')));
  await service.ended(jobId);
  const archive = await service.fetch(`/api/v1/jobs/${jobId}/download`, { method: 'HEAD' });
  // More than a connection's own buffers take.
  expect(Number(archive.headers.get('content-length'))).toBeGreaterThan(25_000_000);
  const before = process.memoryUsage.rss();
  const readers: Socket[] = [];
  try {
    for (let reader = 0; reader < READERS; reader += 1) {
      readers.push(await readSlowly(`/api/v1/jobs/${jobId}/download`));
    }
    expect((await service.fetch('/api/v1/credits')).status).toBe(200);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
  } finally {
    for (const reader of readers) reader.destroy();
  }
});
