/** The database as the rooms see it, whatever its kind. */

import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.js';

/** Runs queries outside a transaction and starts transactions. `destroy()` closes it. */
export type Database = Kysely<Schema>;

/** A running transaction, from `transact`. Accepted wherever a `Database` is; not the other way round. */
export type DatabaseTransaction = Transaction<Schema>;
