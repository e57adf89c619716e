/** The load of the last day: one row for each hour and process, added up. */

import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/contract/limits.js';
import { LoadHourStore, lastHours } from '../../src/observability/load-hour-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const NOW = Date.parse('2026-01-31T12:34:00Z');

describeOnDatabases('the load of an hour', (kind) => {
  test('adds up what processes did, and keeps the worst of what they saw', async () => {
    const { database, close } = await openTestDatabase(kind);
    try {
      const [one, other] = [new LoadHourStore(database, 'one'), new LoadHourStore(database, 'other')];
      one.accepted();
      one.drew(10);
      one.refused();
      await one.record({ freeDiskBytes: 500, queuedItems: 7 }, NOW);
      // Within the minute nothing is written, and nothing is lost.
      one.accepted();
      one.drew(5);
      one.refused();
      await one.record({ freeDiskBytes: 1, queuedItems: 99 }, NOW + 1_000);
      one.refused();
      await one.record({ freeDiskBytes: 400, queuedItems: 3 }, NOW + 60_000);
      other.accepted();
      other.drew(1);
      await other.record({ freeDiskBytes: 450, queuedItems: 8 }, NOW);
      other.refused();
      await other.record({ freeDiskBytes: 600, queuedItems: 0 }, NOW + HOUR_MS);
      const hours = await lastHours(database, NOW + HOUR_MS);
      expect(hours).toHaveLength(24);
      const hour = Date.parse('2026-01-31T12:00:00Z');
      expect(hours.slice(-3)).toEqual([
        { hour: hour - HOUR_MS, jobs: 0, items: 0, refused: 0, leastDiskBytes: 0, mostQueuedItems: 0 },
        { hour, jobs: 3, items: 16, refused: 3, leastDiskBytes: 400, mostQueuedItems: 8 },
        { hour: hour + HOUR_MS, jobs: 0, items: 0, refused: 1, leastDiskBytes: 600, mostQueuedItems: 0 },
      ]);
      await other.record({ freeDiskBytes: 1, queuedItems: 1 }, NOW + 60 * HOUR_MS);
      expect(await database.selectFrom('load_hours').select('hour').execute()).toHaveLength(1);
    } finally {
      await close();
    }
  });
});
