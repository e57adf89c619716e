import { expect, test } from 'vitest';
import type { LeaseStore } from '../../../src/jobs/lease-store.js';
import { HeldLeases } from '../../../src/jobs/work/held-leases.js';
import { signal } from '../jobs-fixture.js';

test('renews leases one time after the other, and gives one back behind a renewal that is slow', async () => {
  const events: string[] = [];
  const [begun, answered] = [signal(), signal()];
  const store: Pick<LeaseStore, 'renew' | 'release'> = {
    renew: async () => {
      events.push('renew');
      begun.reach();
      await answered.reached;
      events.push('renewed');
    },
    release: async () => void events.push('release'),
  };
  const held = new HeldLeases(store as LeaseStore, 3, () => undefined);
  const step = { organisationId: 'o', jobId: 'a', chunk: 0 };
  const run = held.run(
    step,
    async () => ({ attempt: 1 }),
    async () => {
      await begun.reached;
      // The next renewal is due long before this one is answered.
      setTimeout(answered.reach, 30);
      return 1;
    },
  );
  expect(await run).toBe(1);
  await held.close();
  expect(events).toEqual(['renew', 'renewed', 'release']);
});
