/** The saved styles of an organisation, also when several people save at once. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { OrganisationStore } from '../../src/accounts/organisations/organisation-store.js';
import { StyleStore } from '../../src/accounts/organisations/style-store.js';
import type { Database } from '../../src/database/connection.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

const ACTOR = { personId: '', address: '' };

describeOnDatabases('saved styles', (kind) => {
  let database: Database;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
  });
  afterEach(() => close());

  test('are at most fifty, whoever saves at the same time', async () => {
    const organisationId = await new OrganisationStore(database).create({
      name: 'Engines',
      ownerEmail: 'ada@example.org',
      credits: 0,
    });
    const styles = new StyleStore(database);
    const save = (name: string) => styles.save(ACTOR, organisationId, name, {});
    for (let saved = 0; saved < 49; saved += 1) {
      await save(`style ${saved}`);
    }
    // Opens a connection for each: who has to connect first comes too late to race.
    await Promise.all(Array.from({ length: 4 }, () => styles.list(organisationId)));
    const outcomes = await Promise.allSettled(['one', 'two', 'three', 'four'].map(save));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await styles.list(organisationId)).toHaveLength(50);
  });
});
