/** By whom: keys and ledger entries name the person or key behind them, keys when they were last used, jobs why they failed. */

import type { Migration } from 'kysely';
import { addColumn, index } from './portable-tables.js';

export const originsOfUse: Migration = {
  up: async (database) => {
    await addColumn(database, 'api_keys', 'created_by', 'varchar(26)');
    await addColumn(database, 'api_keys', 'last_used_at', 'bigint');
    await addColumn(database, 'ledger_entries', 'key_id', 'varchar(26)');
    await addColumn(database, 'ledger_entries', 'person_id', 'varchar(26)');
    await addColumn(database, 'jobs', 'failure', 'varchar(300)');
    await index(database, 'ledger_entries', 'ledger_entries_page', ['organisation_id', 'id']);
    await index(database, 'jobs', 'jobs_page', ['organisation_id', 'created_at', 'id']);
  },
};
