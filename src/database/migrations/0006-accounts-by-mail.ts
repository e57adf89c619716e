/** An account is made by the link in a mail: nobody has one whose address is not confirmed. Invitations say who sent them. */

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely';
import { addColumn, dropColumn, hasColumn } from './portable-tables.js';

// biome-ignore lint/suspicious/noExplicitAny: a migration sees the tables of its own time, not the schema of today.
type AnyDatabase = Kysely<any>;

export const accountsByMail: Migration = {
  up: async (database) => {
    await addColumn(database, 'one_time_links', 'email', 'varchar(254)');
    await addColumn(database, 'invitations', 'invited_by', 'varchar(26)');
    if (await hasColumn(database, 'people', 'verified_at')) {
      await removeUnconfirmed(database);
      await dropColumn(database, 'people', 'verified_at');
    }
    // What the link brings, it brings once.
    await database.schema.dropTable('welcome_grants').ifExists().execute();
    await database.deleteFrom('one_time_links').where('purpose', '=', 'verify').execute();
  },
};

/** Accounts that nobody could sign in with, whose password may be that of somebody else than the address's holder. */
async function removeUnconfirmed(database: AnyDatabase): Promise<void> {
  const people = await database.selectFrom('people').select('id').where('verified_at', 'is', null).execute();
  for (const { id } of people) {
    const owned = await database
      .selectFrom('memberships')
      .select('organisation_id as organisationId')
      .where('person_id', '=', id)
      .execute();
    for (const table of ['memberships', 'sessions', 'one_time_links']) {
      await database.deleteFrom(table).where('person_id', '=', id).execute();
    }
    for (const { organisationId } of owned) {
      await removeUnused(database, organisationId);
    }
    await database.deleteFrom('people').where('id', '=', id).execute();
  }
}

/** Removes an organisation that nothing refers to; the command line may have given one a key or credits. */
async function removeUnused(database: AnyDatabase, organisationId: string): Promise<void> {
  const users = ['memberships', 'invitations', 'api_keys', 'ledger_entries', 'jobs'];
  const uses = await Promise.all(
    users.map((table) =>
      database
        .selectFrom(table)
        .select(sql`1`.as('one'))
        .where('organisation_id', '=', organisationId)
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  if (uses.every((use) => use === undefined)) {
    await database.deleteFrom('organisations').where('id', '=', organisationId).execute();
  }
}
