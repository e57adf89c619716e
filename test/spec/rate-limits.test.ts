import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { type Account, errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('rate limits', (kind) => {
  let service: TestService;
  let account: Account;
  beforeAll(async () => {
    service = await startTestService(kind, { rateLimits: { create: 2, read: 3 } });
  });
  beforeEach(async () => {
    // Its buckets are full.
    account = await service.createAccount(0);
  });
  afterAll(() => service.close());

  const ask = (path: string, init: RequestInit = {}, key = account.key) =>
    service.fetch(path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });

  it.each([
    ['credits', '/api/v1/credits', 'GET', 3],
    ['job-cancel', '/api/v1/jobs/none/cancel', 'POST', 3],
    ['job-delete', '/api/v1/jobs/none', 'DELETE', 3],
    ['job-manifest', '/api/v1/jobs/none/manifest', 'GET', 3],
    ['job-picture', '/api/v1/jobs/none/items/0.png', 'GET', 30],
    ['jobs-list', '/api/v1/jobs', 'GET', 3],
    ['job-status', '/api/v1/jobs/none', 'GET', 3],
    ['download', '/api/v1/jobs/none/download', 'GET', 3],
    ['jobs-create', '/api/v1/jobs', 'POST', 2],
  ])(
    'count every request with a key to %s',
    { tags: ['4/rate-limits', '7/rate-limited', 'requests/rate-limits', 'errors/retry-after'] },
    async (name, path, method, limit) => {
      for (let request = 1; request <= limit; request += 1) {
        const response = await ask(path, { method });
        expect(response.status).not.toBe(429);
        expect(response.headers.get('ratelimit-policy')).toBe(`"${name}";q=${limit};w=60`);
        expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=${limit - request};t=\\d+$`));
        await response.arrayBuffer();
      }
      const refused = await ask(path, { method });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
      expect(await errorOf(refused)).toMatchObject({ error: 'rate_limited' });
    },
  );

  it('has a bucket for each key and endpoint', { tags: ['requests/rate-limits'] }, async () => {
    const statuses = async (path: string, key = account.key) => (await ask(path, {}, key)).status;
    for (let request = 0; request < 3; request += 1) {
      expect(await statuses('/api/v1/credits')).toBe(200);
    }
    expect(await statuses('/api/v1/credits')).toBe(429);
    expect(await statuses('/api/v1/jobs/none')).toBe(404);
    const second = await service.admin.keys.create(account.organisationId, 'second');
    expect(await statuses('/api/v1/credits', second.key)).toBe(200);
  });

  it('of a key that asks far too often leave those of other keys alone', {
    tags: ['requests/rate-limits'],
  }, async () => {
    const { organisationId } = account;
    const eleven = await Promise.all(
      Array.from({ length: 11 }, async (_, index) => (await service.admin.keys.create(organisationId, `${index}`)).key),
    );
    const asked = async (key = account.key) => {
      const response = await ask('/api/v1/credits', {}, key);
      return `${response.status} ${response.headers.get('ratelimit')?.split(';')[1]}`;
    };
    for (let request = 0; request < 40; request += 1) {
      await asked();
    }
    // All keys together have ten times the limit of one: three of thirty are gone.
    for (const key of eleven.slice(0, 8)) {
      expect([await asked(key), await asked(key), await asked(key)]).toEqual(['200 r=2', '200 r=1', '200 r=0']);
    }
    // All of them have less left than the key alone.
    const [ninth = '', tenth = ''] = eleven.slice(8);
    expect([await asked(ninth), await asked(tenth), await asked(tenth)]).toEqual(['200 r=2', '200 r=1', '200 r=0']);
    expect(await asked(ninth)).toBe('429 r=0');
  });

  it('are those of the organisation where it has its own, up or down, as soon as they are read', async () => {
    const limits = service.admin.organisationLimits;
    const policyOf = async (path: string) => {
      const response = await ask(path, { method: path.endsWith('/jobs') ? 'POST' : 'GET' });
      await response.arrayBuffer();
      return [response.status, response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')];
    };
    await limits.set(account.organisationId, { createsPerMinute: 1, readsPerMinute: 5 });
    expect(await policyOf('/api/v1/credits')).toEqual([200, '"credits";q=3;w=60', expect.stringContaining('r=2')]);
    await limits.load();
    for (const left of [3, 2, 1, 0]) {
      expect(await policyOf('/api/v1/credits')).toEqual([
        200,
        '"credits";q=5;w=60',
        expect.stringContaining(`r=${left};`),
      ]);
    }
    expect(await policyOf('/api/v1/credits')).toEqual([429, '"credits";q=5;w=60', expect.stringContaining('r=0;')]);
    expect(await policyOf('/api/v1/jobs')).toEqual([415, '"jobs-create";q=1;w=60', expect.stringContaining('r=0;')]);
    expect((await policyOf('/api/v1/jobs'))[0]).toBe(429);
    expect((await policyOf('/api/v1/jobs/none/items/0.png'))[1]).toBe('"job-picture";q=50;w=60');
    // Others have those of the service.
    const other = await service.createAccount(0);
    expect((await ask('/api/v1/credits', {}, other.key)).headers.get('ratelimit-policy')).toBe('"credits";q=3;w=60');
    await limits.set(account.organisationId, { createsPerMinute: null, readsPerMinute: null });
    await limits.load();
    expect((await policyOf('/api/v1/jobs/none'))[1]).toBe('"job-status";q=3;w=60');
  });

  it('are kept for an organisation that there is', async () => {
    const limits = service.admin.organisationLimits;
    await expect(limits.set('nobody', { atOnce: 1 })).rejects.toMatchObject({ code: 'not_found' });
    const { organisationId } = account;
    expect(await limits.set(organisationId, { atOnce: 4 })).toEqual({
      createsPerMinute: null,
      readsPerMinute: null,
      atOnce: 4,
    });
    expect(await limits.set(organisationId, { readsPerMinute: 9 })).toMatchObject({ readsPerMinute: 9, atOnce: 4 });
  });

  it('do not count requests without a valid key', async () => {
    for (let request = 0; request < 10; request += 1) {
      const response = await ask('/api/v1/credits', {}, 'wrong');
      expect(response.status).toBe(401);
    }
    expect((await ask('/api/v1/credits')).headers.get('ratelimit')).toContain('r=2');
  });

  it('refuse before they look at a body', { tags: ['requests/order-of-checks'] }, async () => {
    const wrongType = () =>
      ask('/api/v1/jobs', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' });
    expect((await wrongType()).status).toBe(415);
    expect((await wrongType()).status).toBe(415);
    expect((await wrongType()).status).toBe(429);
  });
});
