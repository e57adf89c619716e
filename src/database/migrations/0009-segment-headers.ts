/**
 * What the directory of a chunk's segment comes to in the archive, so that its headers need not be stored as well; chunks of
 * earlier versions have 0, and archives of theirs nulls. An archive without stored headers has no `tail_bytes`: to a process
 * that would hand it out without them it is not ready.
 */

import type { Migration } from 'kysely';
import { addColumn } from './portable-tables.js';

export const segmentHeaders: Migration = {
  up: async (database) => {
    await addColumn(database, 'chunks', 'directory_bytes', 'bigint', 0);
    await addColumn(database, 'chunks', 'entries', 'integer', 0);
    await addColumn(database, 'chunks', 'header_bytes', 'bigint', 0);
    await addColumn(database, 'jobs', 'header_bytes', 'bigint');
    await addColumn(database, 'jobs', 'end_bytes', 'bigint');
  },
};
