/** Which item of another job a job corrects. */

import type { Migration } from 'kysely';
import { column } from './portable-tables.js';

export const correctedItem: Migration = {
  up: (database) => column(database, 'jobs', 'corrected_item', 'integer'),
};
