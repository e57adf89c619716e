/**
 * Reads a consistent snapshot of all tables, and fills empty tables from one. The rows are the same on SQLite and
 * MySQL.
 */

import { sql } from 'kysely';
import type { Database } from './connection.js';
import { isBehind, pagesOf } from './keyset.js';
import { type AnyDatabase, isMysql } from './migrations/portable-tables.js';
import type { Schema } from './schema.js';

/** `own_storage` is no part of a snapshot: a database that is filled from one has files of its own. */
export type TableName = Exclude<keyof Schema, 'own_storage'>;
export type Row = Record<string, string | number | null>;

/** Every table with the columns of its primary key. Referenced tables come first. */
const KEYS: { [Table in TableName]: readonly (keyof Schema[Table] & string)[] } = {
  organisations: ['id'],
  people: ['id'],
  memberships: ['organisation_id', 'person_id'],
  invitations: ['id'],
  api_keys: ['id'],
  key_requests: ['key_id'],
  one_time_links: ['token_hash'],
  sessions: ['key_hash'],
  identities: ['issuer', 'subject'],
  recovery_codes: ['person_id', 'code_hash'],
  sent_forms: ['id_hash'],
  kept_pages: ['id_hash'],
  styles: ['id'],
  ledger_entries: ['id'],
  ledger_days: ['id'],
  jobs: ['id'],
  chunks: ['job_id', 'position'],
  small_blobs: ['job_id', 'name'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  idempotency_records: ['organisation_id', 'key_hash'],
  mails: ['id'],
  audit_entries: ['id'],
  load_hours: ['hour', 'process'],
  sweep_clock: ['id'],
};

/** In an order that satisfies foreign keys. */
export const TABLES = Object.keys(KEYS) as readonly TableName[];

/** Columns with binary content. In a `Row` they are base64 text. */
const BINARY: { readonly [Table in TableName]?: string } = {
  small_blobs: 'content',
  kept_pages: 'content',
};

const ROWS_PER_PAGE = 1_000;

/** One INSERT has rows × columns parameters. SQLite allows 32,766. */
const ROWS_PER_INSERT = 500;

/** Bytes per INSERT, at least one row: a server may take statements of a megabyte only. A row of a saved style has up to 0.7 of it. */
const BYTES_PER_INSERT = 900_000;

/** Tables with rows of up to half a megabyte, and how many of them are held in memory. */
const LARGE: ReadonlySet<TableName> = new Set(['small_blobs', 'kept_pages', 'key_requests', 'styles']);
const LARGE_ROWS = 50;

/** Passes `work` a reader whose tables all show the same moment. Does not block writers. */
export async function readSnapshot<T>(
  database: Database,
  work: (read: (table: TableName) => AsyncGenerator<Row>) => Promise<T>,
): Promise<T> {
  return database.connection().execute(async (connection) => {
    for (const statement of snapshotOf(connection)) {
      await sql.raw(statement).execute(connection);
    }
    try {
      return await work((table) => rowsOf(connection, table));
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

/** In SQLite the first SELECT fixes the moment of the snapshot. */
function snapshotOf(database: AnyDatabase): string[] {
  return isMysql(database)
    ? ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only']
    : ['begin deferred'];
}

/** Sorted by primary key. Holds one page in memory. */
async function* rowsOf(database: AnyDatabase, table: TableName): AsyncGenerator<Row> {
  const [first, second] = KEYS[table] as readonly [string, string?];
  const pages = pagesOf(
    async (limit, after: Row | undefined) => {
      let query = database.selectFrom(table).selectAll().orderBy(first).limit(limit);
      if (second !== undefined) {
        query = query.orderBy(second);
      }
      if (after !== undefined) {
        query = query.where((row) =>
          second === undefined
            ? row(first, '>', after[first])
            : isBehind(row, '>', [first, after[first]], [second, after[second]]),
        );
      }
      return ((await query.execute()) as Row[]).map((row) => inBase64(table, withoutComputed(row)));
    },
    LARGE.has(table) ? LARGE_ROWS : ROWS_PER_PAGE,
  );
  for await (const page of pages) {
    yield* page;
  }
}

/** Without what the database computes, and no statement can write. */
function withoutComputed(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'credits_used'));
}

function inBase64(table: TableName, row: Record<string, unknown>): Row {
  const column = BINARY[table];
  return column === undefined
    ? (row as Row)
    : { ...(row as Row), [column]: Buffer.from(row[column] as Uint8Array).toString('base64') };
}

function fromBase64(table: TableName, row: Row): Record<string, unknown> {
  const column = BINARY[table];
  return column === undefined ? row : { ...row, [column]: Buffer.from(String(row[column]), 'base64') };
}

/** Tables with at least one row. */
export async function filledTables(database: Database): Promise<TableName[]> {
  const filled: TableName[] = [];
  for (const table of TABLES) {
    const rows = await (database as AnyDatabase).selectFrom(table).select(sql`1`.as('one')).limit(1).execute();
    if (rows.length > 0) {
      filled.push(table);
    }
  }
  return filled;
}

/** Fills tables in one transaction. `work` must pass them in the order of `TABLES`. */
export async function fillTables(
  database: Database,
  work: (fill: (table: TableName, rows: AsyncIterable<Row>) => Promise<void>) => Promise<void>,
): Promise<void> {
  await database.transaction().execute((transaction) =>
    work(async (table, rows) => {
      let batch: Row[] = [];
      let bytes = 0;
      const insert = async () => {
        if (batch.length > 0) {
          await (transaction as AnyDatabase)
            .insertInto(table)
            .values(batch.map((row) => fromBase64(table, row)))
            .execute();
        }
        batch = [];
        bytes = 0;
      };
      for await (const row of rows) {
        const rowBytes = bytesOf(row, table);
        if (batch.length === ROWS_PER_INSERT || bytes + rowBytes > BYTES_PER_INSERT) {
          await insert();
        }
        batch.push(row);
        bytes += rowBytes;
      }
      await insert();
    }),
  );
}

/** Bytes of a row in a statement, in which binary content has two hexadecimal digits for each byte, and text has escapes. */
function bytesOf(row: Row, table: TableName): number {
  return Object.entries(row).reduce((sum, [column, value]) => {
    const text = String(value);
    const bytes =
      column === BINARY[table] ? text.length * 1.5 : Buffer.byteLength(JSON.stringify(text)) + text.split("'").length;
    return sum + bytes + 4;
  }, 0);
}
