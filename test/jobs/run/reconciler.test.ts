import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LeaseStore, UnfinishedJob } from '../../../src/jobs/lease-store.js';
import { Reconciler } from '../../../src/jobs/run/reconciler.js';

const JOBS = 1_000;

/** Answers at once, as SQLite does. */
const leases = {
  unfinished: async (status: string, limit: number, after?: UnfinishedJob) => {
    const first = after === undefined ? 0 : after.createdAt + 1;
    const count = status === 'processing' ? Math.min(limit, JOBS - first) : 0;
    return Array.from({ length: count }, (_, index) => ({
      id: `job ${first + index}`,
      organisationId: 'organisation',
      createdAt: first + index,
      isFinishFree: false,
    }));
  },
  freeChunks: async (jobIds: readonly string[]) => jobIds.map((jobId) => ({ jobId, chunk: 0 })),
} as unknown as LeaseStore;

it('lets requests be answered while it reads many jobs that wait', async () => {
  const submitted = new Set<string>();
  let turns = 0;
  const finished = new Promise<void>((resolve, reject) => {
    const reconciler = new Reconciler({
      leases,
      queue: {
        submit: (tasks) => {
          for (const { jobId } of tasks) {
            submitted.add(jobId);
          }
        },
        sent: async () => undefined,
      },
      settle: async () => {
        setImmediate(() => void reconciler.close().then(resolve));
      },
      onFailure: reject,
    });
    reconciler.start();
  });
  while (submitted.size < JOBS) {
    await turn();
    turns += 1;
  }
  await finished;
  expect(turns).toBeGreaterThan(5);
});
