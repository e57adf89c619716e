import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { verify } from '../../src/cli/verify.js';
import { ChunkStore } from '../../src/jobs/chunk-store.js';
import { describeOnDatabases } from '../support/databases.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

describeOnDatabases('DELETE /api/v1/jobs/{jobId}', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { chunkItems: 1_000 });
  });
  afterAll(() => service.close());

  const remove = (jobId: string, key = service.key) =>
    service.fetch(`/api/v1/jobs/${jobId}`, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });

  it('leaves nothing of a complete job but its ledger entries', { tags: ['additions/delete'] }, async () => {
    const files = (await service.files()).toSorted();
    const before = await service.balance();
    const { jobId, statusUrl, downloadUrl } = await service.submit({ items: [{ data: '1' }, { data: '2' }] });
    await service.ended(jobId);
    const response = await remove(jobId);
    expect([response.status, await response.text()]).toEqual([204, '']);
    const job = `/api/v1/jobs/${jobId}`;
    const paths = [job, `${job}/download`, `${job}/manifest`, `${job}/items/0.png`, statusUrl, downloadUrl];
    for (const path of paths) {
      const gone = await service.fetch(path);
      expect([path, gone.status]).toEqual([path, 404]);
      expect(await errorOf(gone)).toMatchObject({ error: 'not_found' });
    }
    for (const again of [await remove(jobId), await service.fetch(`${job}/cancel`, { method: 'POST' })]) {
      expect(again.status).toBe(404);
    }
    expect((await service.files()).toSorted()).toEqual(files);
    expect(await service.balance()).toBe(before - 2);
    const { database } = service.admin;
    const entries = await database.selectFrom('ledger_entries').select('kind').where('job_id', '=', jobId).execute();
    expect(entries).toEqual([{ kind: 'charge' }]);
    expect(await verify(service.admin)).toEqual([]);
  });

  it('refuses a job that has not ended, and takes it once it is cancelled', {
    tags: ['additions/delete'],
  }, async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ data: `${index}` }));
    const { jobId } = await service.submit({ items });
    const refused = await remove(jobId);
    expect(refused.status).toBe(409);
    expect(await errorOf(refused)).toMatchObject({ error: 'not_ended' });
    await service.fetch(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' });
    expect((await remove(jobId)).status).toBe(204);
    // A chunk that is still being drawn deletes its own files.
    await expect.poll(() => service.files(), { timeout: 10_000 }).toEqual([]);
    expect(await verify(service.admin)).toEqual([]);
  });

  it('is not found by requests that look for its files meanwhile', async () => {
    const requests = [
      ['GET', 'download'],
      ['GET', 'manifest'],
      ['GET', 'items/0.png'],
      ['GET', 'labels.pdf?sheet=avery-l7160'],
      ['HEAD', 'download'],
    ] as const;
    for (const [method, path] of requests) {
      for (const total of [1, 101]) {
        // HEAD of a job whose rows are known reads nothing more.
        for (const isRead of method === 'GET' ? [true, false] : [false]) {
          const items = Array.from({ length: total }, (_, index) => ({ data: `${index}` }));
          const { jobId } = await service.submit({ items });
          await service.ended(jobId);
          for (const query of ['places', 'rendered'] as const) {
            const read = ChunkStore.prototype[query] as (...asked: unknown[]) => Promise<never[]>;
            const deleting = async function (this: ChunkStore, ...asked: unknown[]) {
              const rows = isRead ? await read.apply(this, asked) : [];
              await remove(jobId);
              return rows;
            };
            vi.spyOn(ChunkStore.prototype, query).mockImplementationOnce(deleting);
          }
          const gone = await service.fetch(`/api/v1/jobs/${jobId}/${path}`, { method });
          vi.restoreAllMocks();
          expect([method, path, total, isRead, gone.status]).toEqual([method, path, total, isRead, 404]);
        }
      }
    }
    expect(await service.files()).toEqual([]);
  });

  it("knows no other organisation's job, and asks for a key", async () => {
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    await service.ended(jobId);
    const { key } = await service.createAccount(0);
    expect((await remove(jobId, key)).status).toBe(404);
    expect((await remove('none')).status).toBe(404);
    expect((await fetch(`${service.url}/api/v1/jobs/${jobId}`, { method: 'DELETE' })).status).toBe(401);
    expect((await remove(jobId)).status).toBe(204);
  });
});
