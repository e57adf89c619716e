import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
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
    const second = await service.admin.keys.create(COMMAND_LINE, account.organisationId, 'second');
    expect(await statuses('/api/v1/credits', second.key)).toBe(200);
  });

  it('of a key that asks far too often leave those of other keys alone', {
    tags: ['requests/rate-limits'],
  }, async () => {
    const { organisationId } = account;
    const eleven = await Promise.all(
      Array.from(
        { length: 11 },
        async (_, index) => (await service.admin.keys.create(COMMAND_LINE, organisationId, `${index}`)).key,
      ),
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
    const eleventh = eleven[10] ?? '';
    const refused = await errorOf(await ask('/api/v1/credits', {}, eleventh));
    expect(refused.message).toMatch(
      /^At most 30 requests per minute with all keys of the organisation; try again in \d+ seconds?\.$/,
    );
    const own = await errorOf(await ask('/api/v1/credits'));
    expect(own.message).toMatch(/^At most 3 requests per minute with one key; try again in \d+ seconds?\.$/);
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
