/** Answers of webhooks' receivers, and the pauses of webhooks that people set. */

import type { Migration } from 'kysely';
import { column } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new columns empty. */
export const webhookAnswers: Migration = {
  up: async (database) => {
    await column(database, 'webhook_deliveries', 'last_answer', 'text');
    await column(database, 'webhooks', 'stopped_at', 'bigint');
  },
};
