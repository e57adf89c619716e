/** Pauses of webhooks that keep failing, and the organisations in whose turn mails are sent. */

import type { Migration } from 'kysely';
import { column, index } from './portable-tables.js';

/** A process of version 0.1.0's first tables goes on beside it: it leaves the new columns at their defaults. */
export const outboxPauses: Migration = {
  up: async (database) => {
    await column(database, 'webhooks', 'failures', 'integer', (each) => each.notNull().defaultTo(0));
    await column(database, 'webhooks', 'paused_until', 'bigint');
    await column(database, 'mails', 'organisation_id', 'varchar(26)');
    await index(database, 'mails', 'mails_due', ['organisation_id', 'next_attempt_at']);
  },
};
