/** Deletes what accounts keep for a limited time. */

import type { Database } from '../database/connection.js';
import { forgetLastAddresses } from './keys/key-request-store.js';
import { deleteExpired } from '../database/delete-expired.js';

const TABLES = ['sessions', 'one_time_links', 'invitations', 'sent_forms', 'kept_pages', 'key_requests'] as const;

/** Deletes what has expired by `time` (Unix milliseconds). */
export async function deleteExpiredOfAccounts(database: Database, time: number): Promise<void> {
  for (const table of TABLES) {
    await deleteExpired(database, table, time);
  }
  await forgetLastAddresses(database, time);
}
