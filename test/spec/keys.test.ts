/** Keys that expire, and keys that only read. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { sqlite } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite, { rateLimits: { create: 3, read: 1_000 } });
});
afterAll(() => service.close());

const withKey = (key: string, path: string, method = 'GET', init: RequestInit = {}) =>
  service.fetch(path, { method, ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } });

it('refuses a key that has expired like one that was revoked', { tags: ['additions/keys'] }, async () => {
  const { key } = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'over', {
    expiresAt: Date.now(),
  });
  const response = await withKey(key, '/api/v1/credits');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await errorOf(response)).toMatchObject({ error: 'invalid_api_key' });
});

it('lets a read-only key read and download, and refuses it every POST and DELETE', {
  tags: ['additions/keys'],
}, async () => {
  const { key } = await service.admin.keys.create(COMMAND_LINE, service.organisationId, 'reads', { access: 'read' });
  const { jobId } = await service.submit({ items: [{ data: '1' }] });
  await service.ended(jobId);
  const job = `/api/v1/jobs/${jobId}`;
  const balance = await service.balance();
  for (const path of ['/api/v1/credits', '/api/v1/jobs', job, `${job}/download`, `${job}/manifest`]) {
    expect((await withKey(key, path)).status).toBe(200);
    expect((await withKey(key, path, 'HEAD')).status).toBe(200);
  }
  const body = { body: '{"items":[{"data":"2"}]}', headers: { 'content-type': 'application/json' } };
  const refused: [method: string, path: string, init?: RequestInit][] = [
    ['POST', '/api/v1/jobs', body],
    // Nothing is said about a body that is not read.
    ['POST', '/api/v1/jobs', { body: 'no JSON', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/api/v1/jobs/validate', body],
    ['POST', `${job}/cancel`],
    ['POST', '/api/v1/jobs/none/cancel'],
    ['DELETE', job],
  ];
  for (const [method, path, init] of refused) {
    const response = await withKey(key, path, method, init);
    expect([response.status, response.headers.has('ratelimit')]).toEqual([403, true]);
    expect(await errorOf(response)).toMatchObject({ error: 'read_only_key' });
  }
  // Its requests count, and what it may do is told before how often.
  await withKey(key, '/api/v1/jobs', 'POST', body);
  const fourth = await withKey(key, '/api/v1/jobs', 'POST', body);
  expect(fourth.headers.get('ratelimit')).toContain('r=0');
  expect(await errorOf(fourth)).toMatchObject({ error: 'read_only_key' });
  expect(await service.balance()).toBe(balance);
  expect((await withKey(key, job)).status).toBe(200);
});
