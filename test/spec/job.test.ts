import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobCreated } from '../../src/intake/responses.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('GET /api/v1/jobs/{jobId}', (kind) => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(kind);
    job = await service.submit({ items: [{ data: '1' }, { data: '2' }] });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  it('shows a complete job, with the link to its archive', async () => {
    const response = await service.fetch(`/api/v1/jobs/${job.jobId}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      id: job.jobId,
      status: 'complete',
      total: 2,
      completed: 2,
      failed: 0,
      creditsCharged: 2,
      downloadUrl: job.downloadUrl,
    });
  });

  it("shows no archive's link before the job is complete", async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `item ${index}` }));
    const { jobId } = await service.submit({ items });
    const early = (await (await service.fetch(`/api/v1/jobs/${jobId}`)).json()) as Record<string, unknown>;
    expect(early).toMatchObject({ id: jobId, total: 20_000, creditsCharged: 20_000 });
    expect('downloadUrl' in early).toBe(early['status'] === 'complete');
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', completed: 20_000 });
  });

  it.each(['unknown', '0'.repeat(26), '%00', '%F0%28', '..%2f..', 'x'.repeat(1_000)])(
    'answers 404 to the job %s',
    async (jobId) => {
      const response = await service.fetch(`/api/v1/jobs/${jobId}`);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ error: 'not_found' });
    },
  );

  it("answers 404 to another organisation's job", async () => {
    const { key } = await service.createAccount(0);
    for (const path of [`/api/v1/jobs/${job.jobId}`, `/api/v1/jobs/${job.jobId}/download`]) {
      const response = await service.fetch(path, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(404);
    }
  });

  it('asks for a key', async () => {
    expect((await fetch(`${service.url}/api/v1/jobs/${job.jobId}`)).status).toBe(401);
  });
});
