import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobResource } from '../../src/contract/response-schema.js';
import { verify } from '../../src/cli/verify.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('POST /api/v1/jobs/{jobId}/cancel', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 1_000 });
  });
  afterAll(() => service.close());

  const cancel = (jobId: string, key = service.key) =>
    service.fetch(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });

  /** A job of many chunks. */
  const submitLarge = () =>
    service.submit({ items: Array.from({ length: 20_000 }, (_, index) => ({ data: `https://example.org/${index}` })) });

  it('ends a job, returns what was not drawn, and says the same again', { tags: ['additions/cancel'] }, async () => {
    const before = await service.balance();
    const { jobId, downloadUrl } = await submitLarge();
    const response = await cancel(jobId);
    expect(response.status).toBe(200);
    const cancelled = (await response.json()) as JobResource;
    expect(cancelled).toMatchObject({ id: jobId, status: 'failed', reason: 'cancelled', total: 20_000 });
    expect(cancelled.creditsRefunded).toBe(20_000 - cancelled.completed);
    expect(cancelled.failed).toBe(20_000 - cancelled.completed);
    expect(await service.balance()).toBe(before - cancelled.completed);
    const again = await cancel(jobId);
    expect([again.status, await again.json()]).toEqual([200, cancelled]);
    // Once chunks that were under way have come to their end.
    const { jobId: next } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(next);
    expect(await (await service.fetch(`/api/v1/jobs/${jobId}`)).json()).toEqual(cancelled);
    expect((await service.fetch(downloadUrl)).status).toBe(409);
    expect(await verify(service.admin)).toEqual([]);
  });

  it('refuses a job that ended otherwise', { tags: ['additions/cancel'] }, async () => {
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(jobId);
    const response = await cancel(jobId);
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toMatchObject({ error: 'not_cancellable' });
    expect((await service.fetch(`/api/v1/jobs/${jobId}/download`)).status).toBe(200);
  });

  it('takes a body that it does not need', async () => {
    const { jobId } = await submitLarge();
    const response = await service.fetch(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(200);
  });

  it("knows no other organisation's job, and asks for a key", async () => {
    const { jobId } = await submitLarge();
    const { key } = await service.createAccount(0);
    expect((await cancel(jobId, key)).status).toBe(404);
    expect((await cancel('none')).status).toBe(404);
    expect((await fetch(`${service.url}/api/v1/jobs/${jobId}/cancel`, { method: 'POST' })).status).toBe(401);
    expect((await cancel(jobId)).status).toBe(200);
  });
});
