/** Names are found whatever their case and Unicode form, the same on every database. */

import { expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { insertPerson } from '../../src/accounts/people/person-store.js';
import { folded } from '../../src/database/folded.js';
import { transact } from '../../src/database/transaction.js';
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
  ['Köln', 'koln'],
  ['Ümlaut', 'umlaut'],
  ['Größe', 'GROSSE'],
  ['Łódź', 'lodz'],
  ['Tromsø', 'TROMSO'],
  ['Đurđevac', 'durdevac'],
  ['Œuvre, Ærø', 'oeuvre, aero'],
  ['Ἀθῆναι', 'αθηναι'],
  ['1848–1851 — 20‑30 −4 ‐', '1848-1851 - 20-30 -4 -'],
  ['Müller’sche ‘Lösung’ Hawaiʼi', "muller'sche 'losung' hawai'i"],
  ['L`Aquila, Müller´sche', "L'Aquila, Muller'sche"],
  ['„Ort“ “place”', '"ort" "place"'],
])('%s and %s are one name', (one, other) => {
  expect(folded(one)).toBe(folded(other));
  expect(folded(folded(one))).toBe(folded(one));
});

describeOnDatabases('a search by name', (kind) => {
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
      expect(await namesOf('uebung')).toEqual(['100 % Übung!']);
      await organisations.create({ ...owner, name: 'Moebel Müller' });
      expect(await namesOf('möbel')).toEqual(['Moebel Müller']);
      expect(await namesOf('mueller MÖBEL')).toEqual(['Moebel Müller']);
      expect(await namesOf('mueller Übung')).toEqual([]);
      expect(await namesOf('1%0')).toEqual([]);
      expect(await namesOf('B_cher')).toEqual([]);
      const person = { email: 'b@example.org', name: 'Jürgen', passwordHash: 'none' };
      const personId = await transact(database, (transaction) => insertPerson(transaction, person));
      const membership = { organisation_id: id, person_id: personId, role: 'member' as const, created_at: 1 };
      await database.insertInto('memberships').values(membership).execute();
      expect(await namesOf('JÜRGEN')).toEqual(['100 % Übung!']);
    } finally {
      await close();
    }
  });
});
