/** Welcome credits that wait for the first organisation that a person creates. */

import type { Migration } from 'kysely';
import { column } from './portable-tables.js';

/** A process of an earlier version goes on beside it: it leaves the new column at its default. */
export const welcomeCredits: Migration = {
  up: (database) => column(database, 'people', 'has_welcome', 'integer', (each) => each.notNull().defaultTo(0)),
};
