import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Step, StepHandler } from '../../../../src/jobs/work/queue/dispatcher.js';
import { SharedDispatcher } from '../../../../src/jobs/work/queue/shared-dispatcher.js';
import { connectQueueRedis, type Redis } from '../../../../src/platform/redis/connection.js';
import { SharedRedis } from '../../../../src/platform/redis/shared-redis.js';
import { lineLog } from '../../../support/log.js';
import { describeWithOwnRedis, describeWithRedis, OwnRedis, REDIS_URL } from '../../../support/redis.js';
import { ServerLine } from '../../../support/server-line.js';
import { describeDispatcher } from './conformance.js';

const shared: SharedRedis[] = [];
afterEach(() => {
  for (const redis of shared.splice(0)) redis.close();
});

async function connect(url: string): Promise<{ redis: Redis; shared: SharedRedis }> {
  const connections = { redis: connectQueueRedis(url), shared: new SharedRedis(url, lineLog()) };
  shared.push(connections.shared);
  await Promise.all([once(connections.redis, 'ready'), once(connections.shared, 'available')]);
  return connections;
}

describeWithRedis('the shared dispatcher', () => {
  describeDispatcher(async (slots) => {
    const prefix = `{qrpress-test-${randomBytes(8).toString('hex')}}`;
    const connections = await connect(REDIS_URL);
    const dispatcher = new SharedDispatcher({ ...connections, prefix, slots, onFailure: () => undefined });
    return { dispatcher, remove: () => removeKeys(prefix) };
  });
});

describeWithOwnRedis('several shared dispatchers', () => {
  let server: OwnRedis;
  let dispatchers: SharedDispatcher[];
  let failures: unknown[];
  beforeEach(async () => {
    server = await OwnRedis.start();
    dispatchers = [];
    failures = [];
  });
  afterEach(async () => {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
    await server.stop();
  });

  async function open(slots: number, handle: StepHandler, lockMs = 1_000): Promise<SharedDispatcher> {
    const connections = await connect(server.url);
    const onFailure = (error: unknown) => failures.push(error);
    const dispatcher = new SharedDispatcher({ ...connections, slots, lockMs, onFailure });
    dispatcher.start(handle, () => undefined);
    dispatchers.push(dispatcher);
    return dispatcher;
  }

  const never: StepHandler = () => Promise.reject(new Error('submits only'));
  const steps = (count: number): Step[] =>
    Array.from({ length: count }, (_, chunk) => ({ organisationId: 'o', jobId: 'a', chunk }));

  test('share the steps, each of which one of them handles', async () => {
    const handled: [worker: number, chunk: number | undefined][] = [];
    const api = await open(0, never);
    for (const worker of [0, 1]) {
      await open(2, async ({ chunk }) => {
        handled.push([worker, chunk]);
        await vi.waitFor(() => expect(new Set(handled.map(([other]) => other)).size).toBe(2), { timeout: 10_000 });
        return undefined;
      });
    }
    api.submit(steps(40));
    await vi.waitFor(() => expect(handled).toHaveLength(40), { timeout: 20_000 });
    expect(new Set(handled.map(([, chunk]) => chunk)).size).toBe(40);
  });

  test('take what is submitted again after the server lost everything', async () => {
    const handled: (number | undefined)[] = [];
    const api = await open(0, never);
    api.submit(steps(5));
    await api.sent();
    await server.flush();
    await open(2, async ({ chunk }) => {
      handled.push(chunk);
      return undefined;
    });
    api.submit(steps(5));
    await vi.waitFor(() => expect(new Set(handled)).toEqual(new Set([0, 1, 2, 3, 4])), { timeout: 20_000 });
  });

  test('hold nobody up while the server is away, and go on when it is back', async () => {
    const handled: (number | undefined)[] = [];
    const api = await open(0, never);
    await open(2, async ({ chunk }) => {
      handled.push(chunk);
      return undefined;
    });
    await server.kill();
    api.submit(steps(5));
    await server.restart();
    await vi.waitFor(
      async () => {
        api.submit(steps(5));
        await api.sent();
        expect(new Set(handled).size).toBe(5);
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  test('have no figures while the server keeps silent, which a post does not wait for', async () => {
    const line = await ServerLine.open(server.url);
    const connections = await connect(line.url);
    const api = new SharedDispatcher({ ...connections, slots: 0, onFailure: () => undefined });
    dispatchers.push(api);
    expect(await api.figures('o')).toMatchObject({ chunks: 0 });
    line.fallSilent();
    expect(await api.figures('o')).toBeUndefined();
    line.mend();
    await expect.poll(() => api.figures('o')).toMatchObject({ chunks: 0 });
    await api.close();
    await line.close();
  });

  test('end while the server is away, also in the middle of a step', async () => {
    let started = () => undefined as void;
    const underWay = new Promise<void>((resolve) => {
      started = resolve;
    });
    let finish = () => undefined as void;
    const worker = await open(1, async () => {
      started();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return undefined;
    });
    worker.submit(steps(2));
    await underWay;
    await server.kill();
    const closed = worker.close();
    finish();
    await closed;
  }, 15_000);
});

async function removeKeys(prefix: string): Promise<void> {
  const { redis } = await connect(REDIS_URL);
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) {
    await redis.del(...keys);
  }
  redis.disconnect();
}
