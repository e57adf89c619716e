/** When owners were told last that a webhook is paused, and an index that finds the latest requests for credits. */

import type { Migration } from 'kysely';
import { column, index } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new column empty. */
export const noticesToOwners: Migration = {
  up: async (database) => {
    await column(database, 'webhooks', 'pause_told_at', 'bigint');
    await index(database, 'audit_entries', 'audit_entries_action', ['action', 'id']);
  },
};
