import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LeaseStore, UnfinishedJob } from '../../../src/jobs/lease-store.js';
import { Reconciler } from '../../../src/jobs/work/reconciler.js';
import { signal, standstill } from '../jobs-fixture.js';

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
        submit: (steps) => {
          for (const { jobId } of steps) {
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

it('looks again soon when it is asked to while it looks', { timeout: 8_000 }, async () => {
  const looking = standstill();
  const lookedAgain = signal();
  let looks = 0;
  const reconciler = new Reconciler({
    leases: { unfinished: async () => [], freeChunks: async () => [] } as unknown as LeaseStore,
    queue: { submit: () => undefined, sent: async () => undefined },
    settle: async () => {
      looks += 1;
      if (looks === 1) {
        await looking.stand();
      } else {
        lookedAgain.reach();
      }
    },
    onFailure: () => expect.unreachable(),
    // Asked for: within a tenth of this. Otherwise: after half of this at the earliest.
    everyMs: 20_000,
  });
  reconciler.start();
  await looking.reached;
  reconciler.runSoon();
  looking.release();
  await lookedAgain.reached;
  await reconciler.close();
});
