/** A job of a few items is complete when its POST is answered, and its archive is in the database. */

import { expect, it, vi } from 'vitest';
import { JobStore } from '../../src/jobs/job-store.js';
import { LeaseStore } from '../../src/jobs/lease-store.js';
import { verify } from '../../src/cli/verify.js';
import { describeOnDatabases } from '../support/databases.js';
import { namesBelow } from '../support/names-below.js';
import { startTestService } from '../support/service.js';

describeOnDatabases('a small job', (kind) => {
  it('is complete at once, without a file, and one item more is drawn later with the same pictures', async () => {
    const service = await startTestService(kind);
    try {
      const items = Array.from({ length: 101 }, (_, index) => ({ data: `item ${index}` }));
      const small = await service.submit({ items: items.slice(0, 100) });
      const look = await service.fetch(`/api/v1/jobs/${small.jobId}`);
      expect(await look.json()).toMatchObject({ status: 'complete', completed: 100, failed: 0, creditsCharged: 100 });
      const { database, storage } = service.admin;
      expect(await namesBelow(storage, `jobs/${small.jobId}`)).toEqual([]);
      const larger = await service.submit({ items });
      await service.ended(larger.jobId);
      expect((await namesBelow(storage, `jobs/${larger.jobId}`)).length).toBeGreaterThan(0);
      const picture = async (jobId: string) =>
        Buffer.from(await (await service.fetch(`/api/v1/jobs/${jobId}/items/99.png`)).arrayBuffer());
      expect(await picture(small.jobId)).toEqual(await picture(larger.jobId));
      expect(await verify({ database, storage })).toEqual([]);
    } finally {
      await service.close();
    }
  });

  it('is accepted while the store hangs, which it does not need', async () => {
    const service = await startTestService(kind);
    try {
      const hangs = vi.spyOn(service.admin.storage, 'check').mockReturnValue(new Promise(() => undefined));
      const job = await service.submit({ items: [{ data: 'small' }] });
      expect(await service.ended(job.jobId)).toMatchObject({ status: 'complete' });
      expect(hangs).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
      await service.close();
    }
  });

  it('that cannot be paid leaves nothing to settle', async () => {
    const service = await startTestService(kind, {}, { patience: { reconcileEveryMs: 20 } });
    const settled = vi.spyOn(JobStore.prototype, 'committed');
    try {
      const { key } = await service.createAccount(0);
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      expect((await service.post({ items: [{ data: 'unpaid' }] }, headers)).status).toBe(402);
      // Each look into the database asks for the jobs of two states, and then settles drafts.
      const looks = vi.spyOn(LeaseStore.prototype, 'unfinished');
      await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(4), { timeout: 20_000 });
      expect(settled).not.toHaveBeenCalled();
    } finally {
      vi.restoreAllMocks();
      await service.close();
    }
  });
});
