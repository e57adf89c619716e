/** Creates the same tables and indexes on SQLite and MySQL. Each step can be run again. */

import {
  type ColumnDataType,
  type ColumnDefinitionBuilderCallback,
  type CreateTableBuilder,
  type Kysely,
  MysqlAdapter,
  sql,
} from 'kysely';

/** A migration works on the tables of its own version, not on the current schema. A snapshot names them at run time. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export type AnyDatabase = Kysely<any>;

/** Starts the definition of a table. Skips a table that an interrupted migration already created. */
export function table(database: AnyDatabase, name: string): CreateTableBuilder<string> {
  const builder = database.schema.createTable(name).ifNotExists();
  // Ids, tokens and hashes are compared byte by byte, as in SQLite. Keys are longer than the other formats of rows take.
  return isMysql(database)
    ? builder.modifyEnd(sql`engine = InnoDB row_format = dynamic default charset = utf8mb4 collate = utf8mb4_bin`)
    : builder;
}

/** Adds a column to a table of an earlier version if it is missing. */
export async function column(
  database: AnyDatabase,
  tableName: string,
  name: string,
  type: ColumnDataType,
  build?: ColumnDefinitionBuilderCallback,
): Promise<void> {
  const tables = await database.introspection.getTables();
  const columns = tables.find((found) => found.name === tableName)?.columns ?? [];
  if (!columns.some((found) => found.name === name)) {
    await database.schema.alterTable(tableName).addColumn(name, type, build).execute();
  }
}

/** Creates an index if it is missing. MySQL has no `create index if not exists`, so the index is looked up first. */
export async function index(database: AnyDatabase, tableName: string, name: string, columns: string[]): Promise<void> {
  if (isMysql(database)) {
    const found = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${tableName} and index_name = ${name}`.execute(database);
    if (found.rows.length > 0) {
      return;
    }
  }
  await database.schema.createIndex(name).on(tableName).columns(columns).execute();
}

export function isMysql(database: AnyDatabase): boolean {
  return database.getExecutor().adapter instanceof MysqlAdapter;
}
