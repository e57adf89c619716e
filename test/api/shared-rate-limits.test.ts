import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { locationOfBlobs } from '../../src/config/config.js';
import { sqlite } from '../support/databases.js';
import { describeWithRedis, REDIS_URL } from '../support/redis.js';
import { ServerLine } from '../support/server-line.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

const LIMITS = { create: 2, read: 4 };

describeWithRedis('rate limits of two processes', () => {
  let line: ServerLine;
  let first: TestService;
  /** On the same database and Redis, as another process would be. */
  let second: TestService;
  beforeEach(async () => {
    line = await ServerLine.open(REDIS_URL);
    first = await startTestService(sqlite, { rateLimits: LIMITS, redisUrl: line.url });
    const shared = { databaseUrl: first.config.databaseUrl, storage: locationOfBlobs(first.config) };
    second = await startTestService(sqlite, { rateLimits: LIMITS, redisUrl: line.url, ...shared });
    await Promise.all([first, second].map((service) => logged(service, 'redis: connected')));
  });
  afterEach(async () => {
    await second.close();
    await first.close();
    await line.close();
  });

  /** Asks for the first account's credits at either process. */
  const ask = ({ url }: TestService) =>
    fetch(`${url}/api/v1/credits`, { headers: { authorization: `Bearer ${first.key}` } });
  const statusesOf = async (services: TestService[]) => {
    const statuses: number[] = [];
    for (const service of services) {
      statuses.push((await ask(service)).status);
    }
    return statuses;
  };

  it('count together, and say so in their headers', { tags: ['requests/rate-limits'] }, async () => {
    for (const [index, service] of [first, second, second, first].entries()) {
      const response = await ask(service);
      expect(response.status).toBe(200);
      expect(response.headers.get('ratelimit-policy')).toBe('"credits";q=4;w=60');
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"credits";r=${3 - index};t=([1-5]\\d|60)$`));
    }
    for (const service of [first, second]) {
      const refused = await ask(service);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(await errorOf(refused)).toMatchObject({ error: 'rate_limited' });
    }
    expect((await second.fetch('/api/v1/credits')).status).toBe(200);
    // Another endpoint has another bucket.
    expect((await first.fetch('/api/v1/jobs/none')).headers.get('ratelimit')).toContain('r=3');
  });

  it('let exactly as many of 40 racing requests through as there are', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 ? first : second)));
    const passed = responses.filter(({ status }) => status === 200).length;
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40 - passed);
    // On a busy machine, a Redis may be late. Then each process counts alone for a moment.
    const wasLate = [first, second].some(({ log }) => log.some((each) => each.includes('redis: unavailable')));
    if (wasLate) expect(passed).toBeLessThanOrEqual(2 * LIMITS.read);
    else expect(passed).toBe(LIMITS.read);
  });

  it('hold for each process alone while the Redis is away, and together again when it is back', async () => {
    expect(await statusesOf([first, second])).toEqual([200, 200]);
    line.cut();
    expect(await statusesOf(Array.from({ length: 5 }, () => first))).toEqual([200, 200, 200, 200, 429]);
    expect(await statusesOf([second])).toEqual([200]);
    await vi.waitFor(() => expect(line.attempts).toBeGreaterThan(6), { timeout: 20_000 });
    line.mend();
    await Promise.all([first, second].map((service) => logged(service, 'redis: connected', 2)));
    expect(await statusesOf([first, second, first])).toEqual([200, 200, 429]);
    for (const { log } of [first, second]) {
      // One line for each time. A busy machine may have a Redis that is late once more.
      const states = log.flatMap((each) => /redis: (?:unavailable|connected)/.exec(each)?.[0] ?? []);
      expect(states).toContain('redis: unavailable');
      expect(states.filter((state, index) => state === states[index - 1])).toEqual([]);
      expect(log.filter((each) => each.includes('"level":"error"'))).toEqual([]);
    }
  });

  it('do not wait for a Redis that has fallen silent', async () => {
    line.fallSilent();
    const started = performance.now();
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => ask(first)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMITS.read);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - LIMITS.read);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describeWithRedis('a service', () => {
  it('whose Redis refuses it starts all the same, and keeps the password out of its log', async () => {
    const line = await ServerLine.open(REDIS_URL);
    const url = new URL(line.url);
    [url.username, url.password] = ['nobody', 'canary-of-redis'];
    const service = await startTestService(sqlite, { rateLimits: LIMITS, redisUrl: url.href });
    try {
      await logged(service, 'redis: unavailable');
      expect((await service.fetch('/api/v1/credits')).headers.get('ratelimit')).toContain('r=3');
      expect(service.log.join('')).not.toContain('canary');
    } finally {
      await service.close();
      await line.close();
      expect(service.log.filter((each) => each.includes('redis: unavailable'))).toHaveLength(1);
    }
  });
});

/** Resolves once a line with `message` was logged so many times. */
function logged({ log }: TestService, message: string, times = 1): Promise<void> {
  return vi.waitFor(() => expect(log.filter((line) => line.includes(message)).length).toBeGreaterThanOrEqual(times), {
    timeout: 20_000,
  });
}
