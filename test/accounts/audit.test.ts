/** The audit log of an organisation is searched without the entries of others. */

import type { RootOperationNode } from 'kysely';
import { expect, it } from 'vitest';
import { auditEntries, type AuditFilter } from '../../src/accounts/audit-store.js';
import { newRowId } from '../../src/database/row-id.js';
import { openTestDatabase, sqlite } from '../support/databases.js';

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
