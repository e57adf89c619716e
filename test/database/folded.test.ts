/** Names are found whatever their case and Unicode form, the same on every database, also those of earlier versions. */

import { expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { type Database, openDatabase } from '../../src/database/connection.js';
import { folded } from '../../src/database/folded.js';
import { migrate } from '../../src/database/migrate.js';
import { newRowId } from '../../src/database/row-id.js';
import { JobListStore } from '../../src/jobs/job-list-store.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

test.each([
  ['Äpfel', 'ÄPFEL'],
  ['Äpfel', 'a\u0308pfel'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'strasse'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['Ｆｕｌｌ ﬁt', 'full FIT'],
  ['İstanbul', 'ISTANBUL'],
  ['ДРУЖБА', 'дружба'],
])('%s and %s are one name', (one, other) => {
  expect(folded(one)).toBe(folded(other));
  expect(folded(folded(one))).toBe(folded(one));
});

/** More than a page of the migration. */
const MANY = 1_100;

const JOB = {
  status: 'complete',
  send_email: 0,
  verify_items: 0,
  verified: 0,
  unread: 0,
  total: 1,
  completed: 1,
  failed: 0,
  credits_charged: 1,
  credits_refunded: 0,
  spool_bytes: 1,
  finish_attempt: 0,
  created_at: 1,
  expires_at: Date.now() + 600_000,
} as const;

describeOnDatabases('a search by name', (kind) => {
  async function insertJobs(database: Database, organisationId: string, names: readonly string[]): Promise<void> {
    const rows = names.map((name) => ({
      ...JOB,
      id: newRowId(),
      token: newRowId(),
      organisation_id: organisationId,
      name,
    }));
    for (let first = 0; first < rows.length; first += 500) {
      await database
        .insertInto('jobs')
        .values(rows.slice(first, first + 500))
        .execute();
    }
  }

  const found = async (database: Database, organisationId: string, search: string) =>
    (await new JobListStore(database).page(organisationId, { search, limit: 5 })).map(({ name }) => name);

  test('finds rows that an earlier version wrote', async () => {
    const { url, drop } = await kind.create();
    const database = openDatabase(url);
    try {
      await migrate(database, '0002-outbox-pauses');
      const organisation = {
        id: newRowId(),
        name: 'Çelik & Söhne',
        owner_email: 'ö@example.org',
        balance: 0,
        created_at: 1,
      };
      await database.insertInto('organisations').values(organisation).execute();
      const names = Array.from({ length: MANY }, (_, index) => `Größe ${index}`);
      await insertJobs(database, organisation.id, [...names, 'Äpfel & Brötchen']);
      await migrate(database);
      for (const search of ['Äpfel', 'äpfel', 'ÄPFEL', 'BRÖTCHEN']) {
        expect(await found(database, organisation.id, search)).toEqual(['Äpfel & Brötchen']);
      }
      for (const index of [0, 777, MANY - 1]) {
        expect(await found(database, organisation.id, `GRÖSSE ${index}`)).toContain(`Größe ${index}`);
      }
      const unfolded = await database.selectFrom('jobs').select('id').where('folded_name', 'is', null).execute();
      expect(unfolded).toEqual([]);
      const organisations = new OrganisationStore(database);
      for (const search of ['çelik', 'SÖHNE', 'Ö@example']) {
        expect(await organisations.page(undefined, 5, search)).toHaveLength(1);
      }
      // A process of the earlier version that goes on for a while.
      await insertJobs(database, organisation.id, ['Late LABELS']);
      expect(await found(database, organisation.id, 'late labels')).toEqual(['Late LABELS']);
    } finally {
      await database.destroy();
      await drop();
    }
  });

  test('takes wildcards literally, and finds an organisation by a member', async () => {
    const { database, close } = await openTestDatabase(kind);
    try {
      const organisations = new OrganisationStore(database);
      const owner = { ownerEmail: 'a@example.org', credits: 0 };
      const id = await organisations.create({ ...owner, name: '100 % Übung!' });
      await organisations.create({ ...owner, name: '1000 Bücher' });
      const namesOf = async (search: string) =>
        (await organisations.page(undefined, 5, search)).map(({ name }) => name);
      expect(await namesOf('0 % ÜBUNG!')).toEqual(['100 % Übung!']);
      expect(await namesOf('1%0')).toEqual([]);
      expect(await namesOf('B_cher')).toEqual([]);
      const person = { id: newRowId(), email: 'b@example.org', name: 'Jürgen', is_operator: 0, created_at: 1 };
      await database.insertInto('people').values(person).execute();
      const membership = { organisation_id: id, person_id: person.id, role: 'member' as const, created_at: 1 };
      await database.insertInto('memberships').values(membership).execute();
      await database
        .updateTable('people')
        .set({ folded_name: folded(person.name) })
        .execute();
      expect(await namesOf('JÜRGEN')).toEqual(['100 % Übung!']);
    } finally {
      await close();
    }
  });
});
