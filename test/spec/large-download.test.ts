/** Downloads of an archive beyond any 32-bit number, which takes no room: its segments are sparse files. */

import { createHash, randomBytes } from 'node:crypto';
import { open, truncate, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobCreated } from '../../src/contract/response-schema.js';
import { archiveEndKey, segmentKey } from '../../src/jobs/files/job-files.js';
import { describeOnDatabases } from '../support/databases.js';
import { IS_NIGHTLY } from '../support/nightly.js';
import { startTestService, type TestService } from '../support/service.js';

const GIB = 1024 ** 3;
const SEGMENT_BYTES = 6 * GIB;
const MARK = randomBytes(4_000_000);
/** Positions of the mark: across 2 GiB and 4 GiB, and across the border of the segments. */
const MARKS = [2 * GIB, 4 * GIB, SEGMENT_BYTES, 8 * GIB].map((middle) => middle - MARK.length / 2);

describeOnDatabases('an archive of 12 GiB', (kind) => {
  let service: TestService;
  let job: JobCreated;
  let bytes: number;
  let archiveEnd: Buffer;

  beforeAll(async () => {
    service = await startTestService(kind);
    // Too many items for an archive in rows.
    job = await service.submit({ items: Array.from({ length: 101 }, () => ({ data: '1' })) });
    await service.ended(job.jobId);
    await inflate();
  });
  afterAll(() => service.close());

  /** Lets the job's one segment grow, and gives it a second one. */
  async function inflate(): Promise<void> {
    const { database } = service.admin;
    const whole = Buffer.from(await (await fetch(service.url + job.downloadUrl)).arrayBuffer());
    const chunk = await database
      .selectFrom('chunks')
      .selectAll()
      .where('job_id', '=', job.jobId)
      .executeTakeFirstOrThrow();
    archiveEnd = whole.subarray(chunk.segment_bytes);
    bytes = 2 * SEGMENT_BYTES + archiveEnd.length;
    // An archive this long has all headers stored with its end.
    await writeFile(join(service.config.dataDir, 'storage', archiveEndKey(job.jobId, 1)), archiveEnd);
    await database
      .updateTable('jobs')
      .set({ header_bytes: 0, end_bytes: archiveEnd.length })
      .where('id', '=', job.jobId)
      .execute();
    await database
      .updateTable('chunks')
      .set({ segment_bytes: SEGMENT_BYTES })
      .where('job_id', '=', job.jobId)
      .execute();
    await database
      .insertInto('chunks')
      .values({ ...chunk, position: 1, segment_bytes: SEGMENT_BYTES })
      .execute();
    for (const path of segments()) {
      const file = await open(path, 'a');
      await file.truncate(SEGMENT_BYTES);
      await file.close();
    }
    for (const offset of MARKS) {
      await writeMark(offset);
    }
  }

  const segments = () =>
    [0, 1].map((position) => join(service.config.dataDir, 'storage', segmentKey(job.jobId, position, 1)));

  /** Writes the mark at `offset` of the archive. */
  async function writeMark(offset: number): Promise<void> {
    for (const [position, path] of segments().entries()) {
      const first = Math.max(0, position * SEGMENT_BYTES - offset);
      const last = Math.min(MARK.length, (position + 1) * SEGMENT_BYTES - offset);
      if (first < last) {
        const file = await open(path, 'r+');
        await file.write(MARK, first, last - first, offset + first - position * SEGMENT_BYTES);
        await file.close();
      }
    }
  }

  const get = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(service.url + job.downloadUrl, { ...init, headers });

  it('says how long it is', async () => {
    const response = await get({}, { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe(String(bytes));
  });

  it.each(MARKS)('answers the range at %d', { tags: ['downloads/large'] }, async (offset) => {
    const last = offset + MARK.length - 1;
    const response = await get({ range: `bytes=${offset}-${last}` });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${offset}-${last}/${bytes}`);
    expect(MARK.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
  });

  it('answers its end, by suffix and by offset', async () => {
    for (const range of [`bytes=-${archiveEnd.length}`, `bytes=${bytes - archiveEnd.length}-`]) {
      const response = await get({ range });
      expect(response.headers.get('content-range')).toBe(`bytes ${bytes - archiveEnd.length}-${bytes - 1}/${bytes}`);
      expect(archiveEnd.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    }
    expect((await get({ range: `bytes=${bytes}-` })).status).toBe(416);
  });

  it('answers several ranges in one request with the whole', async () => {
    const response = await get({ range: 'bytes=0-9,20-29,-4' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(bytes));
    await response.body?.cancel();
  });

  it('is resumed byte by byte, however often the connection breaks', { tags: ['downloads/large'] }, async () => {
    const [, , start = 0] = MARKS;
    const end = start + MARK.length;
    const hash = createHash('sha256');
    let [position, etag, connections] = [start, '', 0];
    while (position < end) {
      const controller = new AbortController();
      const headers = { range: `bytes=${position}-${end - 1}`, ...(etag !== '' && { 'if-range': etag }) };
      const response = await get(headers, { signal: controller.signal });
      expect(response.status).toBe(206);
      etag = response.headers.get('etag') ?? '';
      connections += 1;
      let room = 700_001;
      for await (const chunk of response.body!) {
        const kept = chunk.subarray(0, room);
        hash.update(kept);
        position += kept.length;
        room -= kept.length;
        if (room === 0) {
          break;
        }
      }
      controller.abort();
    }
    expect(connections).toBe(6);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(MARK).digest('hex'));
  });

  // Memory of the process, in which `npm test` runs other files before and after.
  it.runIf(IS_NIGHTLY)(
    'costs a few megabytes for each client that does not read, however much there is to send',
    {
      tags: ['4.4/download'],
    },
    async () => {
      const clients = 30;
      // Garbage of earlier tests would be counted as memory of this one.
      const buffers = () => {
        collectGarbage();
        return process.memoryUsage().arrayBuffers;
      };
      await standstill(buffers);
      const before = buffers();
      const sockets = await Promise.all(
        Array.from({ length: clients }, async () => {
          const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
          socket.write(`GET ${job.downloadUrl} HTTP/1.1\r\nHost: x\r\n\r\n`);
          return socket;
        }),
      );
      await vi.waitFor(() => expect(buffers() - before).toBeGreaterThan(clients * 1_000_000), { timeout: 20_000 });
      await standstill(buffers);
      expect(buffers() - before).toBeLessThan(clients * 6_000_000);
      await Promise.all(sockets.map(closed));
      expect((await get({ range: 'bytes=0-0' })).status).toBe(206);
    },
  );

  it('is cut off, not ended, where a segment has lost bytes', { tags: ['downloads/large'] }, async () => {
    await truncate(segments()[1] ?? '', SEGMENT_BYTES - 1);
    const response = await get({ range: `bytes=-${archiveEnd.length + 5_000}` });
    expect(response.status).toBe(206);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
    const errors = service.log.filter((line) => line.includes('"level":"error"'));
    expect(errors.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['answer cut short']);
    expect((await get({ range: 'bytes=0-0' })).status).toBe(206);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Resolves once `bytes` have hardly changed for a while: whoever would read on has. Small buffers always come and go. */
async function standstill(bytes: () => number): Promise<void> {
  let [since, samples] = [bytes(), 0];
  await vi.waitFor(
    () => {
      const now = bytes();
      const isSame = Math.abs(now - since) < 1_000_000;
      [since, samples] = isSame ? [since, samples + 1] : [now, 0];
      expect(samples).toBeGreaterThan(5);
    },
    { timeout: 20_000, interval: 50 },
  );
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()).destroy());
}
