/** `qrpress migrate`: the tables of this version, and nothing else. */

import type { Config } from '../config.js';
import { openDatabase } from '../database/connection.js';
import { migrate } from '../database/migrate.js';

/** Names of the migrations that were run. */
export async function migrateDatabase({ databaseUrl }: Config): Promise<string[]> {
  const database = openDatabase(databaseUrl);
  try {
    return await migrate(database);
  } finally {
    await database.destroy();
  }
}
