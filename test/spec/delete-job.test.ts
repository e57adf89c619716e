import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { verify } from '../../src/cli/verify.js';
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

  /** Runs `work` just before a file is read for the next time. */
  function beforeReading(work: () => Promise<unknown>): void {
    const { storage } = service.admin;
    vi.spyOn(storage, 'materialise').mockImplementationOnce(async (...place) => {
      vi.restoreAllMocks();
      await work();
      return storage.materialise(...place);
    });
    vi.spyOn(storage, 'read').mockImplementationOnce((...place) => {
      vi.restoreAllMocks();
      const bytes = async function* () {
        await work();
        yield* storage.read(...place);
      };
      return Readable.from(bytes(), { objectMode: false });
    });
  }

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

  it.each([2, 200])(
    'of %i items answers 404 to whoever was about to read it',
    {
      tags: ['additions/delete'],
    },
    async (count) => {
      const items = Array.from({ length: count }, (_, index) => ({ data: `${index}` }));
      for (const path of ['download', 'manifest', 'items/0.png', 'labels.pdf?sheet=avery-l7160']) {
        const { jobId } = await service.submit({ items });
        await service.ended(jobId);
        beforeReading(() => remove(jobId));
        const gone = await service.fetch(`/api/v1/jobs/${jobId}/${path}`);
        expect([path, gone.status]).toEqual([path, 404]);
        expect(await errorOf(gone)).toMatchObject({ error: 'not_found' });
      }
    },
  );

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
