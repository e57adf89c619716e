/** A worker whose Redis is away: it takes chunks from the database, and ends when it is asked to. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sqlite } from '../../../support/databases.js';
import { endHost, type Host, startHost } from '../../../support/hosts.js';
import { describeWithOwnRedis, OwnRedis } from '../../../support/redis.js';
import { ndjson, startTestService, type TestService } from '../../../support/service.js';

const CHUNK_ITEMS = 1_000;

const body = (items: number) =>
  ndjson(['{}', ...Array.from({ length: items }, (_, item) => `{"data":"${item}"}`)].join('\n'));

describeWithOwnRedis('a worker whose Redis is away', () => {
  let redis: OwnRedis;
  let service: TestService;
  let workers: Host[];
  beforeEach(async () => {
    workers = [];
    redis = await OwnRedis.start();
    service = await startTestService(sqlite, { redisUrl: redis.url, chunkItems: CHUNK_ITEMS }, { role: 'api' });
  });
  afterEach(async () => {
    for (const { child } of workers) {
      child.kill('SIGKILL');
    }
    await service.close();
    await redis.stop();
  });

  async function startWorker(): Promise<Host> {
    const worker = await startHost(
      {
        QRPRESS_DATA_DIR: service.config.dataDir,
        QRPRESS_DATABASE_URL: service.config.databaseUrl,
        QRPRESS_REDIS_URL: redis.url,
        QRPRESS_PORT: '0',
        QRPRESS_RENDER_THREADS: '1',
      },
      ['dist/main.js', 'serve', '--role', 'worker'],
    );
    workers.push(worker);
    return worker;
  }

  const statusOf = async (jobId: string) =>
    (await (await service.fetch(`/api/v1/jobs/${jobId}`)).json()) as { status: string; completed: number };

  test('renders what the database holds, ends with work in hand, and uses the queue when it is back', async () => {
    const first = await startWorker();
    await redis.kill();
    const { jobId } = await service.submit(...body(90 * CHUNK_ITEMS));
    await vi.waitFor(async () => expect((await statusOf(jobId)).completed).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 20,
    });
    expect(await endHost(first, 'SIGTERM')).toBe(0);

    await startWorker();
    await vi.waitFor(async () => expect(await statusOf(jobId)).toMatchObject({ status: 'complete' }), {
      timeout: 60_000,
      interval: 50,
    });
    await redis.restart();
    await vi.waitFor(
      async () =>
        expect(await (await service.fetch('/readyz')).json()).toMatchObject({ checks: { redis: { state: 'ok' } } }),
      { timeout: 20_000, interval: 50 },
    );
    const next = await service.submit(...body(CHUNK_ITEMS));
    await vi.waitFor(async () => expect(await statusOf(next.jobId)).toMatchObject({ status: 'complete' }), {
      timeout: 60_000,
      interval: 50,
    });
  }, 200_000);
});
