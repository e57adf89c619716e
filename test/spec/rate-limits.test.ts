import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('rate limits', (kind) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(kind, { rateLimits: { create: 2, read: 3 } });
  });
  afterEach(() => service.close());

  it.each([
    ['credits', '/api/v1/credits', 'GET', 3],
    ['job-status', '/api/v1/jobs/none', 'GET', 3],
    ['download', '/api/v1/jobs/none/download', 'GET', 3],
    ['jobs-create', '/api/v1/jobs', 'POST', 2],
  ])('count every request with a key to %s', async (name, path, method, limit) => {
    for (let request = 1; request <= limit; request += 1) {
      const response = await service.fetch(path, { method });
      expect(response.status).not.toBe(429);
      expect(response.headers.get('ratelimit-policy')).toBe(`"${name}";q=${limit};w=60`);
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=${limit - request};t=\\d+$`));
      await response.arrayBuffer();
    }
    const refused = await service.fetch(path, { method });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
    expect(await errorOf(refused)).toMatchObject({ error: 'rate_limited' });
  });

  it('has a bucket for each key and endpoint', async () => {
    const statuses = async (path: string, key = service.key) => {
      const response = await service.fetch(path, { headers: { authorization: `Bearer ${key}` } });
      return response.status;
    };
    for (let request = 0; request < 3; request += 1) {
      expect(await statuses('/api/v1/credits')).toBe(200);
    }
    expect(await statuses('/api/v1/credits')).toBe(429);
    expect(await statuses('/api/v1/jobs/none')).toBe(404);
    const second = await service.backoffice.keys.create(service.organisationId, 'second');
    expect(await statuses('/api/v1/credits', second.key)).toBe(200);
  });

  it('do not count requests without a valid key', async () => {
    for (let request = 0; request < 10; request += 1) {
      const response = await service.fetch('/api/v1/credits', { headers: { authorization: 'Bearer wrong' } });
      expect(response.status).toBe(401);
    }
    expect((await service.fetch('/api/v1/credits')).headers.get('ratelimit')).toContain('r=2');
  });

  it('refuse before they look at a body', async () => {
    const wrongType = () => service.post('{}', { 'content-type': 'text/plain' });
    expect((await wrongType()).status).toBe(415);
    expect((await wrongType()).status).toBe(415);
    expect((await wrongType()).status).toBe(429);
  });
});
