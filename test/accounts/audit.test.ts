/** The audit log of an organisation is searched without the entries of others. */

import type { RootOperationNode } from 'kysely';
import { expect, it } from 'vitest';
import { auditEntries, type AuditFilter, forgetAddresses } from '../../src/accounts/audit-store.js';
import { DAY_MS } from '../../src/contract/limits.js';
import { newRowId } from '../../src/database/row-id.js';
import { describeOnDatabases, openTestDatabase, sqlite } from '../support/databases.js';

const FILTERS: AuditFilter[] = [
  {},
  { action: 'key-created' },
  { action: 'signed-in', search: 'ada', until: 7 },
  { createdAfter: 1, before: 9 },
];

it.each(FILTERS)('finds entries by an index of their organisation or person, with %j', async (filter) => {
  const { database, close } = await openTestDatabase(sqlite);
  try {
    const nodes: RootOperationNode[] = [];
    const watched = database.withPlugin({
      transformQuery: ({ node }) => {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await auditEntries(watched, newRowId(), 26, filter);
    const plans = nodes.map(async (node) => {
      const query = database.getExecutor().compileQuery(node, { queryId: newRowId() });
      const explained = { ...query, sql: `explain query plan ${query.sql}` };
      const { rows } = await database.executeQuery<{ detail: string }>(explained);
      return rows.map(({ detail }) => detail).join('\n');
    });
    const [own, signIns] = await Promise.all(plans);
    expect(own).toContain('INDEX audit_entries_organisation_id (organisation_id=?');
    expect(signIns).toContain('INDEX audit_entries_person_id (person_id=?');
  } finally {
    await close();
  }
});

describeOnDatabases('the audit log', (kind) => {
  it('loses network addresses after 90 days, and keeps all else', async () => {
    const { database, close } = await openTestDatabase(kind);
    try {
      const entry = { organisation_id: 'o', person_id: null, person_name: null, folded_name: '', folded_subject: '' };
      const rows = Array.from({ length: 1_200 }, (_, time) => ({
        ...entry,
        action: 'key-created',
        subject: `${time}`,
        address: time % 2 === 0 ? '192.0.2.1' : 'command line',
        created_at: time,
      }));
      await database.insertInto('audit_entries').values(rows).execute();
      const addresses = async () => {
        const found = await auditEntries(database, 'o', 2_000);
        return found.toReversed().map(({ address }) => address);
      };
      const expected = (old: number) => rows.map(({ address }, row) => (row < old && row % 2 === 0 ? '' : address));
      const last = await forgetAddresses(database, 1_099 + 90 * DAY_MS, 0);
      expect(await addresses()).toEqual(expected(1_100));
      await forgetAddresses(database, 1_150 + 90 * DAY_MS, last);
      expect(await addresses()).toEqual(expected(1_151));
    } finally {
      await close();
    }
  });
});
