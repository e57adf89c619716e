/** Checks, without changing anything, that the database would accept a write. */

import { sql } from 'kysely';
import type { Database } from './connection.js';
import { isMysql } from './migrations/portable-tables.js';
import { BUSY_TIMEOUT_MS } from './sqlite-dialect.js';

/**
 * Rejects with the reason when the database would not accept a write. A write lock held by another process is no
 * reason.
 */
export async function probeWrite(database: Database): Promise<void> {
  if (isMysql(database)) {
    await database.updateTable('organisations').set({ balance: 0 }).where('id', '=', '').execute();
    return;
  }
  await database.connection().execute(async (connection) => {
    // Waiting for another process's write would block the event loop.
    await sql.raw('pragma busy_timeout = 0').execute(connection);
    try {
      await sql.raw('begin immediate').execute(connection);
      await sql.raw('rollback').execute(connection);
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') {
        throw error;
      }
    } finally {
      await sql.raw(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`).execute(connection);
    }
  });
}
