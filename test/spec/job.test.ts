import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobCreated, JobResource } from '../../src/contract/response-schema.js';
import type { JobRow } from '../../src/database/schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const UTC_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const STATES = ['processing', 'zipping', 'complete'];

describeOnDatabases('GET /api/v1/jobs/{jobId}', (kind) => {
  let service: TestService;
  let job: JobCreated;
  beforeAll(async () => {
    service = await startTestService(kind);
    job = await service.submit({ items: [{ data: '1' }, { data: '2' }] });
    await service.ended(job.jobId);
  });
  afterAll(() => service.close());

  const status = (jobId: string, headers: Record<string, string> = {}) =>
    service.fetch(`/api/v1/jobs/${jobId}`, { headers });

  it('shows a complete job, with the link to its archive', { tags: ['1/jobs', '2.8/status'] }, async () => {
    const response = await service.fetch(`/api/v1/jobs/${job.jobId}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      id: job.jobId,
      status: 'complete',
      createdAt: expect.stringMatching(UTC_TIME),
      total: 2,
      completed: 2,
      failed: 0,
      creditsCharged: 2,
      downloadUrl: job.downloadUrl,
    });
  });

  it('has the name that its request gave it, in both forms', { tags: ['additions/job-members'] }, async () => {
    const before = Date.now();
    const name = `Äpfel & <b>"Birnen"</b> ${'😀'.repeat(20)}`;
    const [body, headers] = ndjson({ name }, { data: '1' });
    for (const named of [await service.submit({ name, items: [{ data: '1' }] }), await service.submit(body, headers)]) {
      const now = await service.ended(named.jobId);
      expect(now.name).toBe(name);
      expect(Date.parse(now.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(now.createdAt)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('is answered with 304, and no body, until it changes', { tags: ['status/not-modified'] }, async () => {
    const first = await status(job.jobId);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const [header, value, expected] of [
      ['if-none-match', etag, 304],
      ['if-none-match', `"other", W/${etag}`, 304],
      ['if-none-match', '*', 304],
      ['if-none-match', '"other"', 200],
      ['if-modified-since', new Date().toUTCString(), 200],
    ] as const) {
      const response = await status(job.jobId, { [header]: value });
      expect([header, value, response.status]).toEqual([header, value, expected]);
      expect(response.headers.get('etag')).toBe(etag);
      expect((await response.text()) === '').toBe(expected === 304);
    }
    const head = await service.fetch(`/api/v1/jobs/${job.jobId}`, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(etag);
    expect(head.headers.get('content-length')).toBe(String((await first.text()).length));
  });

  /** A job that takes a while. */
  const submitLarge = () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `https://example.org/${index}`.repeat(4) }));
    return service.submit({ format: 'both', items });
  };

  it('goes through its states in order, and its counts only rise', { tags: ['2.8/status', '3/order'] }, async () => {
    const { jobId, ...created } = await submitLarge();
    const seen: JobResource[] = [];
    let [etag, unchanged] = ['', 0];
    while (!['complete', 'failed'].includes(seen.at(-1)?.status ?? '')) {
      const response = await status(jobId, etag === '' ? {} : { 'if-none-match': etag });
      if (response.status === 200) {
        seen.push((await response.json()) as JobResource);
        expect(response.headers.get('etag')).not.toBe(etag);
        etag = response.headers.get('etag') ?? '';
      } else {
        expect(response.status).toBe(304);
        unchanged += 1;
      }
    }
    expect(unchanged).toBeGreaterThan(0);
    for (const [index, now] of seen.entries()) {
      const before = seen[index - 1] ?? { status: 'processing', completed: 0, failed: 0 };
      expect(STATES.indexOf(now.status)).toBeGreaterThanOrEqual(STATES.indexOf(before.status));
      expect(now.completed).toBeGreaterThanOrEqual(before.completed);
      expect(now.failed).toBeGreaterThanOrEqual(before.failed);
      expect(now.completed + now.failed).toBeLessThanOrEqual(now.total);
      expect(now).toMatchObject({ id: jobId, total: 20_000, creditsCharged: created.creditsCharged });
      expect(now.downloadUrl).toBe(now.status === 'complete' ? created.downloadUrl : undefined);
      if (now.status !== 'processing') {
        expect(now.completed + now.failed).toBe(now.total);
      }
    }
    expect(seen[0]).toMatchObject({ status: 'processing' });
    expect(seen.at(-1)).toMatchObject({ status: 'complete', completed: 20_000, failed: 0 });
  });

  it('is not ready for a download before it is complete', {
    tags: ['3/not-ready', '7/others', 'signed-urls/refusals'],
  }, async () => {
    const { jobId, downloadUrl } = await submitLarge();
    for (const path of [`/api/v1/jobs/${jobId}/download`, downloadUrl]) {
      const response = await service.fetch(path);
      expect(response.status).toBe(409);
      expect(response.headers.get('etag')).toBeNull();
      expect(await errorOf(response)).toMatchObject({ error: 'not_ready' });
    }
    await service.ended(jobId);
    expect((await service.fetch(downloadUrl, { method: 'HEAD' })).status).toBe(200);
  });

  it('shows a job that failed, and what was returned', { tags: ['life/refund', 'additions/job-members'] }, async () => {
    const failed = await service.submit({ items: [{ data: '1' }] });
    await service.ended(failed.jobId);
    await update(failed.jobId, {
      status: 'failed',
      failure: 'nothing_drawn',
      completed: 0,
      failed: 1,
      credits_refunded: 1,
    });
    expect(await (await status(failed.jobId)).json()).toEqual({
      id: failed.jobId,
      status: 'failed',
      reason: 'nothing_drawn',
      createdAt: expect.stringMatching(UTC_TIME),
      total: 1,
      completed: 0,
      failed: 1,
      creditsCharged: 1,
      creditsRefunded: 1,
    });
    for (const path of [`/api/v1/jobs/${failed.jobId}/download`, failed.downloadUrl]) {
      expect((await service.fetch(path)).status).toBe(409);
    }
  });

  it('is gone once its time is over, on every path', { tags: ['1/retention', 'life/expiry'] }, async () => {
    const old = await service.submit({ items: [{ data: '1' }] });
    await service.ended(old.jobId);
    await update(old.jobId, { expires_at: Date.now() });
    const paths = [`/api/v1/jobs/${old.jobId}`, `/api/v1/jobs/${old.jobId}/download`, old.statusUrl, old.downloadUrl];
    for (const path of paths) {
      const response = await service.fetch(path);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ error: 'not_found' });
    }
  });

  /** Puts a job into a state that takes a broken machine, or 90 days, to reach. */
  const update = (jobId: string, columns: Partial<JobRow>) =>
    service.admin.database.updateTable('jobs').set(columns).where('id', '=', jobId).execute();

  it.each(['unknown', '0'.repeat(26), '%00', '%F0%28', '..%2f..', 'x'.repeat(1_000)])(
    'answers 404 to the job %s',
    { tags: ['4.3/job', '7/others'] },
    async (jobId) => {
      const response = await service.fetch(`/api/v1/jobs/${jobId}`);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ error: 'not_found' });
    },
  );

  it("answers 404 to another organisation's job", { tags: ['4.3/job', '5/own-organisation'] }, async () => {
    const { key } = await service.createAccount(0);
    for (const path of [`/api/v1/jobs/${job.jobId}`, `/api/v1/jobs/${job.jobId}/download`]) {
      const response = await service.fetch(path, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(404);
    }
  });

  it('asks for a key', { tags: ['1/key', '4/key'] }, async () => {
    expect((await fetch(`${service.url}/api/v1/jobs/${job.jobId}`)).status).toBe(401);
  });
});
