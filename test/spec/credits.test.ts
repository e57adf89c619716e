import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('GET /api/v1/credits', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.close());

  it("answers the balance of the key's organisation", {
    tags: ['1/bodies', '2.9/balance', '4.1/credits'],
  }, async () => {
    const response = await service.fetch('/api/v1/credits');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ balance: await service.balance() });
  });

  it.each([
    ['no header', {}],
    ['no scheme', { authorization: 'KEY' }],
    ['another scheme', { authorization: 'Basic KEY' }],
    ['no key', { authorization: 'Bearer' }],
    ['something behind the key', { authorization: 'Bearer KEY x' }],
    ['an unknown key', { authorization: 'Bearer qrp_0000000000000000000000000000000000000' }],
  ])(
    'answers 401 to %s',
    { tags: ['1/key', '4/key', '5/invalid-api-key', '7/others', 'requests/authorization'] },
    async (_, headers: Record<string, string>) => {
      const authorization = headers['authorization']?.replace('KEY', service.key);
      const response = await fetch(`${service.url}/api/v1/credits?key=${service.key}`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('ratelimit')).toBeNull();
      const error = await errorOf(response);
      expect(error).toEqual({
        error: 'invalid_api_key',
        message: expect.any(String),
        requestId: response.headers.get('x-request-id'),
      });
    },
  );

  it('takes the scheme in any case, and several keys of one organisation', {
    tags: ['5/bearer', '5/rolling', 'requests/authorization'],
  }, async () => {
    const second = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'second');
    for (const authorization of [`bearer ${service.key}`, `BEARER  ${second.key}`]) {
      const response = await service.fetch('/api/v1/credits', { headers: { authorization } });
      expect(response.status).toBe(200);
    }
  });

  it('refuses a revoked key at once', { tags: ['4/key', '5/invalid-api-key', 'requests/authorization'] }, async () => {
    const { keyId, key } = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'short-lived');
    const headers = { authorization: `Bearer ${key}` };
    expect((await service.fetch('/api/v1/credits', { headers })).status).toBe(200);
    await service.admin.keys.revoke(COMMAND_LINE, keyId);
    expect((await service.fetch('/api/v1/credits', { headers })).status).toBe(401);
  });
});
