/** A Redis that answers and refuses every write, or holds back its answers: jobs go on at once without it, and it is said. */

import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { doctor } from '../../src/cli/doctor.js';
import { administer } from '../../src/composition/administer.js';
import { readConfig } from '../../src/config/config.js';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { sqlite } from '../support/databases.js';
import { Hosts } from '../support/hosts.js';
import { describeWithOwnRedis, OwnRedis } from '../support/redis.js';
import { ndjson, startTestService, type TestService } from '../support/service.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** More than are drawn while they are checked. */
const ITEMS = 150;

const job = () => ndjson(['{}', ...Array.from({ length: ITEMS }, (_, item) => `{"data":"${item}"}`)].join('\n'));

/** Far longer than a job may take that does not wait for Redis. */
const PAUSE_MS = 100_000;

interface Refusal {
  begin: (redis: OwnRedis) => Promise<void>;
  end: (redis: OwnRedis) => Promise<void>;
  reason: RegExp;
}

const REFUSALS: [string, Refusal][] = [
  [
    'is a replica since a failover',
    {
      begin: (redis) => redis.command('replicaof', '127.0.0.1', '1'),
      end: (redis) => redis.command('replicaof', 'no', 'one'),
      reason: /READONLY/,
    },
  ],
  [
    'has no memory left',
    {
      begin: (redis) => redis.command('config', 'set', 'maxmemory', '1'),
      end: (redis) => redis.command('config', 'set', 'maxmemory', '0'),
      reason: /OOM/,
    },
  ],
  [
    'cannot write its snapshots',
    {
      begin: async (redis) => {
        await rm(redis.folder, { recursive: true });
        await redis.command('config', 'set', 'save', '3600 1');
        await redis.command('bgsave');
      },
      end: (redis) => redis.command('config', 'set', 'stop-writes-on-bgsave-error', 'no'),
      reason: /MISCONF/,
    },
  ],
];

describeWithOwnRedis('a service whose Redis', () => {
  let redis: OwnRedis;
  let service: TestService;
  beforeEach(async () => {
    redis = await OwnRedis.start();
    service = await startTestService(sqlite, { redisUrl: redis.url });
    await expect.poll(stateOfRedis).toBe('ok');
  });
  afterEach(async () => {
    await service.close();
    await redis.stop();
  });

  async function stateOfRedis(): Promise<string> {
    const answer = (await (await service.fetch('/readyz')).json()) as { checks: { redis: { state: string } } };
    return answer.checks.redis.state;
  }

  const isConnected = async () =>
    /^qrpress_redis_connected (\d)$/m.exec(await (await service.fetch('/metrics')).text())?.[1];

  async function findingOfDoctor() {
    const environment = { QRPRESS_DATA_DIR: service.config.dataDir, QRPRESS_REDIS_URL: redis.url };
    return (await doctor(readConfig(environment), administer)).find(({ name }) => name === 'redis');
  }

  const ended = async () => (await service.ended((await service.submit(...job())).jobId)).status;

  test.for(REFUSALS)('%s draws jobs all the same, and says so', async ([, { begin, end, reason }]) => {
    expect(await findingOfDoctor()).toMatchObject({ ok: true });
    await begin(redis);
    expect(await ended()).toBe('complete');
    await expect.poll(stateOfRedis).toBe('degraded');
    expect(await isConnected()).toBe('0');
    const finding = await findingOfDoctor();
    expect(finding).toMatchObject({ ok: false });
    expect(finding?.detail).toMatch(reason);
    expect(await ended()).toBe('complete');
    const lines = service.log.filter((line) => line.includes('redis: unavailable'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(reason);

    await end(redis);
    await expect.poll(stateOfRedis).toBe('ok');
    expect(await isConnected()).toBe('1');
    expect(await ended()).toBe('complete');
  });

  test('holds back its answers takes requests and draws jobs without it', async () => {
    await redis.command('client', 'pause', `${PAUSE_MS}`);
    const began = performance.now();
    expect((await service.fetch('/api/v1/credits')).status).toBe(200);
    expect(await ended()).toBe('complete');
    expect(await stateOfRedis()).toBe('degraded');
    expect(performance.now() - began).toBeLessThan(PAUSE_MS / 2);
  });
});

describeWithOwnRedis('processes whose Redis', () => {
  test('is a replica since a failover find their jobs in the database', async () => {
    const hosts = await Hosts.open(sqlite, { credits: 10_000, environment: {} });
    try {
      const api = await hosts.start('api');
      await hosts.start('worker');
      await REFUSALS[0]?.[1].begin(hosts.redis);
      const [body] = job();
      const posted = await fetch(`${api.url}/api/v1/jobs`, { method: 'POST', headers: hosts.headers, body });
      const { jobId } = (await posted.json()) as JobCreated;
      const status = async () => {
        const answer = await fetch(`${api.url}/api/v1/jobs/${jobId}`, { headers: hosts.headers });
        return ((await answer.json()) as JobResource).status;
      };
      await expect.poll(status, { timeout: 60_000 }).toBe('complete');
    } finally {
      await hosts.close();
    }
  });
});
