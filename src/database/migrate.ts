/** Brings a database to the tables that this version expects; safe to run at every start, by several processes at once. */

import { type Migration, Migrator } from 'kysely';
import type { Database } from './connection.js';
import { initialTables } from './migrations/0001-initial-tables.js';
import { idempotencyRecords } from './migrations/0002-idempotency-records.js';
import { mailOutbox } from './migrations/0003-mail-outbox.js';
import { peopleAndSessions } from './migrations/0004-people-and-sessions.js';
import { originsOfUse } from './migrations/0005-origins-of-use.js';
import { accountsByMail } from './migrations/0006-accounts-by-mail.js';
import { sentForms } from './migrations/0007-sent-forms.js';
import { leases } from './migrations/0008-leases.js';

/** Forward only, in order of name; a migration that was released is never changed. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-initial-tables': initialTables,
  '0002-idempotency-records': idempotencyRecords,
  '0003-mail-outbox': mailOutbox,
  '0004-people-and-sessions': peopleAndSessions,
  '0005-origins-of-use': originsOfUse,
  '0006-accounts-by-mail': accountsByMail,
  '0007-sent-forms': sentForms,
  '0008-leases': leases,
};

/** Runs what is missing and returns the names of what was run. */
export async function migrate(database: Database): Promise<string[]> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error');
    throw new Error(`the database could not be migrated${failed ? `: ${failed.migrationName}` : ''}`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}
