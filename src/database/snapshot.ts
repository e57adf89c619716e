/** All rows of all tables as they were at one moment, and the way back into empty tables: the same rows on SQLite and MySQL. */

import { type Kysely, sql } from 'kysely';
import type { Database } from './connection.js';
import { isBehind } from './keyset.js';
import { isMysql } from './migrations/portable-tables.js';
import type { Schema } from './schema.js';

export type TableName = keyof Schema;
export type Row = Record<string, string | number | null>;

// biome-ignore lint/suspicious/noExplicitAny: tables are read and filled by their names.
type AnyDatabase = Kysely<any>;

/** Every table with the columns of its primary key; what others refer to comes first. */
const KEYS: { [Table in TableName]: readonly (keyof Schema[Table] & string)[] } = {
  organisations: ['id'],
  organisation_limits: ['organisation_id'],
  people: ['id'],
  memberships: ['organisation_id', 'person_id'],
  invitations: ['id'],
  api_keys: ['id'],
  one_time_links: ['token_hash'],
  sessions: ['key_hash'],
  identities: ['issuer', 'subject'],
  recovery_codes: ['person_id', 'code_hash'],
  sent_forms: ['id_hash'],
  styles: ['id'],
  ledger_entries: ['id'],
  jobs: ['id'],
  chunks: ['job_id', 'position'],
  small_blobs: ['job_id', 'name'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  idempotency_records: ['organisation_id', 'key_hash'],
  mails: ['id'],
  audit_entries: ['id'],
};

/** In an order in which they can be filled. */
export const TABLES = Object.keys(KEYS) as readonly TableName[];

/** Columns that hold bytes; in a row that is read or filled they are text in base64. */
const BINARY: { readonly [Table in TableName]?: string } = { small_blobs: 'content' };

const ROWS_PER_PAGE = 1_000;

/** Parameters of one INSERT are its rows times their columns, of SQLite's 32,766. */
const ROWS_PER_INSERT = 500;

/** Rows that hold bytes have up to 131 KB of them; MariaDB takes statements of 16 MB. */
const BINARY_ROWS = 50;

/** Hands `work` a reader of tables that all show the same moment; nobody who writes has to wait for it. */
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

/** SQLite's moment is that of the first SELECT. */
function snapshotOf(database: AnyDatabase): string[] {
  return isMysql(database)
    ? ['set transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only']
    : ['begin deferred'];
}

/** A page of rows at a time in memory, in the order of the key. */
async function* rowsOf(database: AnyDatabase, table: TableName): AsyncGenerator<Row> {
  const [first, second] = KEYS[table] as readonly [string, string?];
  const rowsPerPage = BINARY[table] === undefined ? ROWS_PER_PAGE : BINARY_ROWS;
  for (let last: Row | undefined; ; ) {
    let query = database.selectFrom(table).selectAll().orderBy(first).limit(rowsPerPage);
    if (second !== undefined) {
      query = query.orderBy(second);
    }
    if (last !== undefined) {
      const after = last;
      query = query.where((row) =>
        second === undefined
          ? row(first, '>', after[first])
          : isBehind(row, '>', [first, after[first]], [second, after[second]]),
      );
    }
    const page = ((await query.execute()) as Row[]).map((row) => inBase64(table, row));
    yield* page;
    last = page.at(-1);
    if (page.length < rowsPerPage) {
      return;
    }
  }
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

/** The tables that have a row. */
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

/** Fills tables, which `work` hands over in the order of `TABLES`: with all of their rows, or with none. */
export async function fillTables(
  database: Database,
  work: (fill: (table: TableName, rows: AsyncIterable<Row>) => Promise<void>) => Promise<void>,
): Promise<void> {
  await database.transaction().execute((transaction) =>
    work(async (table, rows) => {
      let batch: Row[] = [];
      const rowsPerInsert = BINARY[table] === undefined ? ROWS_PER_INSERT : BINARY_ROWS;
      const insert = async () => {
        if (batch.length > 0) {
          await (transaction as AnyDatabase)
            .insertInto(table)
            .values(batch.map((row) => fromBase64(table, row)))
            .execute();
        }
        batch = [];
      };
      for await (const row of rows) {
        batch.push(row);
        if (batch.length === rowsPerInsert) {
          await insert();
        }
      }
      await insert();
    }),
  );
}
