/**
 * What the directory of a chunk's segment comes to in the archive, so that its headers need not be stored as well; 0 in rows
 * from before, whose archives have all headers in their tails.
 */

import type { Migration } from 'kysely';
import { addColumn } from './portable-tables.js';

export const segmentHeaders: Migration = {
  up: async (database) => {
    await addColumn(database, 'chunks', 'directory_bytes', 'bigint', 0);
    await addColumn(database, 'chunks', 'entries', 'integer', 0);
    await addColumn(database, 'chunks', 'header_bytes', 'bigint', 0);
    await addColumn(database, 'jobs', 'header_bytes', 'bigint', 0);
  },
};
