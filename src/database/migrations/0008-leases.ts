/** Who works on a chunk or on a job's tail, until when, and in which attempt; rows from before are in attempt 0, held by nobody. */

import type { Migration } from 'kysely';
import { addColumn } from './portable-tables.js';

export const leases: Migration = {
  up: async (database) => {
    await addColumn(database, 'chunks', 'attempt', 'integer', 0);
    await addColumn(database, 'chunks', 'worker', 'varchar(100)');
    await addColumn(database, 'chunks', 'leased_until', 'bigint');
    await addColumn(database, 'jobs', 'tail_attempt', 'integer', 0);
    await addColumn(database, 'jobs', 'tail_worker', 'varchar(100)');
    await addColumn(database, 'jobs', 'tail_leased_until', 'bigint');
  },
};
