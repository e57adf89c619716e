/** Where a job's items stand in the list that a person gave. */

import type { Migration } from 'kysely';
import { column } from './portable-tables.js';

export const sourcePlaces: Migration = {
  up: (database) => column(database, 'jobs', 'source_places', 'text'),
};
