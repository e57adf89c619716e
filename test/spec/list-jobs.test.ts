import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobList, JobResource } from '../../src/contract/response-schema.js';
import { describeOnDatabases } from '../support/databases.js';
import { type Account, errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('GET /api/v1/jobs', (kind) => {
  let service: TestService;
  let jobs: JobResource[];
  let other: Account;
  const T0 = Date.UTC(2026, 0, 1);

  beforeAll(async () => {
    service = await startTestService(kind);
    other = await service.createAccount(10);
    jobs = [];
    for (let index = 0; index < 6; index += 1) {
      const { jobId } = await service.submit({ name: `job ${index}`, items: [{ data: `${index}` }] });
      await service.ended(jobId);
      // Two of them at the same moment.
      const created = T0 + Math.floor(index / 2) * 1_000;
      await service.admin.database
        .updateTable('jobs')
        .set({ created_at: created, ...(index === 2 && { status: 'failed', failure: 'nothing_drawn' }) })
        .where('id', '=', jobId)
        .execute();
      jobs.push((await (await service.fetch(`/api/v1/jobs/${jobId}`)).json()) as JobResource);
    }
    jobs.sort((left, right) => right.createdAt.localeCompare(left.createdAt) || (right.id < left.id ? -1 : 1));
  });
  afterAll(() => service.close());

  const list = async (query = '') => {
    const response = await service.fetch(`/api/v1/jobs${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    return (await response.json()) as JobList;
  };
  const ids = ({ jobs: page }: JobList) => page.map(({ id }) => id);
  const expected = (matches: (job: JobResource) => boolean) => jobs.filter(matches).map(({ id }) => id);

  it('lists the status resources, newest first', async () => {
    expect(await list()).toEqual({ jobs });
  });

  it.each([
    ['status=failed', (job: JobResource) => job.status === 'failed'],
    ['status=processing', () => false],
    ['createdAfter=2026-01-01T00:00:00Z', (job: JobResource) => Date.parse(job.createdAt) > T0],
    ['createdAfter=2026-01-01T02:00:00.999%2B02:00', (job: JobResource) => Date.parse(job.createdAt) > T0 + 999],
    ['createdAfter=2026-01-01T02:00:00.999+02:00', (job: JobResource) => Date.parse(job.createdAt) > T0 + 999],
    ['createdBefore=2026-01-01T00:00:01.000Z', (job: JobResource) => Date.parse(job.createdAt) < T0 + 1_000],
    ['createdBefore=2026-01-01T00:00:01.0001Z', (job: JobResource) => Date.parse(job.createdAt) <= T0 + 1_000],
    ['createdAfter=2026-01-01T00:00:01.0009Z', (job: JobResource) => Date.parse(job.createdAt) > T0 + 1_000],
    [
      'createdAfter=2026-01-01t00:00:00z&createdBefore=2026-01-01T00:00:02Z&status=complete',
      (job: JobResource) => job.status === 'complete' && Date.parse(job.createdAt) === T0 + 1_000,
    ],
  ])('filters by %s', { tags: ['additions/list'] }, async (query, matches) => {
    expect(ids(await list(`?${query}`))).toEqual(expected(matches));
  });

  it('goes on from page to page, whatever is created and deleted meanwhile', { tags: ['additions/list'] }, async () => {
    const seen: string[] = [];
    const made: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(page.jobs.length).toBe(2);
      seen.push(...ids(page));
      cursor = page.nextCursor;
      const { jobId } = await service.submit({ items: [{ data: 'meanwhile' }] });
      made.push(jobId);
    } while (cursor !== undefined);
    expect(seen).toEqual(jobs.map(({ id }) => id));
    // The page that ends with the last job has no cursor.
    expect(made.length).toBe(3);
    await Promise.all(made.map((jobId) => service.ended(jobId)));
    await service.admin.database.deleteFrom('jobs').where('id', 'in', made).execute();
  });

  it("shows no other organisation's jobs", async () => {
    const response = await service.fetch('/api/v1/jobs', { headers: { authorization: `Bearer ${other.key}` } });
    expect(await response.json()).toEqual({ jobs: [] });
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=101', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['status=done', '/status'],
    ['createdAfter=yesterday', '/createdAfter'],
    ['createdAfter=2026-02-30T00:00:00Z', '/createdAfter'],
    // Leap seconds, those that RFC 3339 allows too: clocks of computers have none.
    ['createdAfter=2016-12-31T23:59:60Z', '/createdAfter'],
    ['createdBefore=2017-01-01T01:59:60.5%2B02:00', '/createdBefore'],
    ['createdBefore=2026-01-01', '/createdBefore'],
    ['createdBefore=2026-01-01T00:00:00', '/createdBefore'],
    ['cursor=x', '/cursor'],
    ['cursor=', '/cursor'],
    ['limit=x&cursor=%00', '/limit /cursor'],
  ])('refuses %s', { tags: ['additions/list'] }, async (query, paths) => {
    const response = await service.fetch(`/api/v1/jobs?${query}`);
    expect(response.status).toBe(400);
    const { error, issues } = await errorOf(response);
    expect([
      error,
      issues
        ?.map(({ path }) => path)
        .toSorted()
        .join(' '),
    ]).toEqual(['invalid_input', paths.split(' ').toSorted().join(' ')]);
  });

  it('is answered with 304 until something changes', async () => {
    const etag = (await service.fetch('/api/v1/jobs')).headers.get('etag') ?? '';
    const again = await service.fetch('/api/v1/jobs', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it('asks for a key', async () => {
    expect((await fetch(`${service.url}/api/v1/jobs`)).status).toBe(401);
  });
});
