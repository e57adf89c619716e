/** `qrpress migrate`: migrates the database to this version, and does nothing else. */

import type { Config } from '../config/config.js';
import { openDatabase } from '../database/connection.js';
import { migrate } from '../database/migrate.js';

/** Returns the names of the migrations that ran. */
export async function migrateDatabase({ databaseUrl }: Config): Promise<string[]> {
  const database = openDatabase(databaseUrl);
  try {
    return await migrate(database);
  } finally {
    await database.destroy();
  }
}
