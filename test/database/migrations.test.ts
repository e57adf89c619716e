/** Migrations with rows in the tables: from every earlier version, beside the one before, and behind a newer one. */

import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/database/connection.ts';
import { MIGRATION_NAMES, migrate, requireCurrent, schemaState } from '../../src/database/migrate.ts';
import { describeOnDatabases, type EmptyDatabase } from '../support/databases.ts';

/** From here on a process of the version before works beside one that has migrated: see docs/upgrading.md. */
const ADDITIVE_SINCE = '0007-sent-forms';

type Row = Record<string, string | number | null>;

// biome-ignore lint/suspicious/noExplicitAny: the tables of every version.
type AnyDatabase = Kysely<any>;

/** A row for every table there ever was, with every column that it ever had; those that refer to others come later. */
function rowsOf(mark: string): Record<string, Row> {
  const hash = (kind: string) => `${kind}${mark}`.padEnd(64, '0');
  return {
    organisations: { id: `o${mark}`, name: 'Ünï 🦓', owner_email: 'o@example.org', balance: 7, created_at: 1 },
    people: {
      id: `p${mark}`,
      email: `p${mark}@example.org`,
      name: 'P',
      password_hash: 'x',
      verified_at: 2,
      is_operator: 1,
      created_at: 2,
    },
    memberships: { organisation_id: `o${mark}`, person_id: `p${mark}`, role: 'owner', created_at: 3 },
    invitations: {
      id: `i${mark}`,
      organisation_id: `o${mark}`,
      email: 'i@example.org',
      role: 'member',
      token_hash: hash('i'),
      invited_by: null,
      created_at: 4,
      expires_at: 5,
    },
    welcome_grants: { organisation_id: `o${mark}`, person_id: `p${mark}`, created_at: 6 },
    one_time_links: {
      token_hash: hash('l'),
      purpose: 'reset',
      person_id: `p${mark}`,
      email: null,
      expires_at: 7,
      used_at: null,
    },
    sessions: { key_hash: hash('s'), person_id: `p${mark}`, created_at: 8, expires_at: 9 },
    sent_forms: { id_hash: hash('f'), expires_at: 10 },
    api_keys: {
      id: `k${mark}`,
      organisation_id: `o${mark}`,
      name: 'K',
      prefix: 'qp',
      hash: hash('k'),
      created_by: `p${mark}`,
      created_at: 11,
      last_used_at: 12,
      revoked_at: null,
    },
    jobs: {
      id: `j${mark}`,
      token: `t${mark}`,
      organisation_id: `o${mark}`,
      status: 'complete',
      send_email: 1,
      total: 3,
      completed: 2,
      failed: 1,
      credits_charged: 3,
      credits_refunded: 1,
      spool_bytes: 9_007_199_254_740_991,
      tail_bytes: 10,
      archive_bytes: 20,
      failure: 'why',
      created_at: 13,
      ended_at: 14,
      expires_at: 15,
    },
    chunks: {
      job_id: `j${mark}`,
      position: 0,
      status: 'done',
      first_item: 0,
      item_count: 3,
      spool_offset: 1,
      spool_bytes: 2,
      segment_bytes: 10,
      failed_items: 1,
    },
    ledger_entries: {
      organisation_id: `o${mark}`,
      kind: 'charge',
      amount: -3,
      balance_after: 7,
      job_id: `j${mark}`,
      key_id: `k${mark}`,
      person_id: null,
      reason: 'job accepted',
      created_at: 16,
    },
    idempotency_records: {
      organisation_id: `o${mark}`,
      key_hash: hash('r'),
      job_id: `j${mark}`,
      fingerprint: hash('f'),
      expires_at: 17,
    },
    mails: {
      id: `m${mark}`,
      recipient: 'm@example.org',
      subject: 's',
      text: 't',
      html: 'h',
      attempts: 1,
      next_attempt_at: null,
      last_error: 'e',
      created_at: 18,
    },
    audit_entries: {
      organisation_id: `o${mark}`,
      person_id: `p${mark}`,
      action: 'a',
      subject: 's',
      address: '::1',
      created_at: 19,
    },
  };
}

type Columns = Map<string, Set<string>>;

async function columnsOf(database: Database): Promise<Columns> {
  const tables = await database.introspection.getTables();
  return new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
}

/** Writes as a version does that knows these columns; returns what it wrote. */
async function fill(database: AnyDatabase, mark: string, columns: Columns): Promise<[string, Row][]> {
  const rows = Object.entries(rowsOf(mark)).filter(([table]) => columns.has(table));
  const written: [string, Row][] = rows.map(([table, row]) => [
    table,
    Object.fromEntries(Object.entries(row).filter(([column]) => columns.get(table)?.has(column))),
  ]);
  for (const [table, row] of written) {
    await database.insertInto(table).values(row).execute();
  }
  return written;
}

describeOnDatabases('a database with rows', (kind) => {
  let empty: EmptyDatabase;
  let database: Database;
  beforeEach(async () => {
    empty = await kind.create();
    database = openDatabase(empty.url);
  });
  afterEach(async () => {
    await database.destroy();
    await empty.drop();
  });

  test('keeps them through every migration, and is written to by the version before', async () => {
    const versions = new Map<string, Columns>();
    const written: [string, Row][] = [];
    for (const [index, name] of MIGRATION_NAMES.entries()) {
      expect(await migrate(database, name)).toEqual([name]);
      const columns = await columnsOf(database);
      versions.set(name, columns);
      written.push(...(await fill(database, `n${index}`, columns)));
    }
    for (const [name, columns] of versions) {
      if (name >= ADDITIVE_SINCE) {
        written.push(...(await fill(database, `old${name.slice(0, 4)}`, columns)));
      }
    }
    const latest = await columnsOf(database);
    expect(
      Object.keys(rowsOf(''))
        .filter((table) => latest.has(table))
        .toSorted(),
    ).toEqual([...latest.keys()].toSorted());
    for (const [table, row] of written.filter(([name]) => latest.has(name))) {
      const kept = Object.entries(row).filter(([column]) => latest.get(table)?.has(column));
      let query = (database as AnyDatabase).selectFrom(table).selectAll();
      for (const [column, value] of kept) {
        query = query.where(column, value === null ? 'is' : '=', value);
      }
      expect(await query.execute(), `${table} ${JSON.stringify(row)}`).toHaveLength(1);
    }
  }, 120_000);

  test('of a newer version is refused, and left as it is', async () => {
    await migrate(database);
    expect(await schemaState(database)).toBe('current');
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(database);
    await expect(migrate(database)).rejects.toThrow('migrated by a newer version of qrpress (9999-later)');
    await expect(requireCurrent(database)).rejects.toThrow('newer tables');
    expect(await schemaState(database)).toBe('newer');
  });

  test('of an older version is told from a current one', async () => {
    await expect(requireCurrent(database)).rejects.toThrow('outdated tables');
    await migrate(database, MIGRATION_NAMES[0]);
    expect(await schemaState(database)).toBe('outdated');
  });
});
