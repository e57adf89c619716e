/** Times of a job that its page shows, the rows of its spreadsheet that were left out, and indexes for its costs. */

import { type Migration, sql } from 'kysely';
import { column, index } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new columns empty. */
export const jobLife: Migration = {
  up: async (database) => {
    await column(database, 'jobs', 'started_at', 'bigint');
    await column(database, 'jobs', 'downloaded_at', 'bigint');
    await column(database, 'jobs', 'skipped_rows', 'integer');
    // Its value is kept in the index alone. So it is right also for jobs of an earlier version.
    await column(database, 'jobs', 'credits_used', 'bigint', (built) =>
      built.generatedAlwaysAs(sql`credits_charged - credits_refunded`),
    );
    await index(database, 'jobs', 'jobs_credits', ['organisation_id', 'credits_used', 'created_at']);
    await index(database, 'ledger_entries', 'ledger_entries_time', ['organisation_id', 'created_at', 'id']);
  },
};
