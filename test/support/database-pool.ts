/**
 * Databases that already have their tables: creating tables takes a hundred times as long as emptying them, and several times as
 * long as copying a file. One pool of databases of the MySQL server serves all test files of a run, and so does one SQLite file. A
 * database of the pool whose tables a test changed is dropped.
 */

import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';

/** Server on which the tests create and drop databases. The account needs the right to do so. */
export const SERVER_URL = process.env['QRPRESS_TEST_DATABASE_URL'] ?? 'mysql://root@127.0.0.1:3306';

/** Prefix of the names of the run's databases. The database with exactly this name lists the free ones. */
const POOL = 'QRPRESS_TEST_POOL';

/** Folder of the SQLite file with tables. */
const FILES = 'QRPRESS_TEST_FILES';

/** Sets up a run. Without a server there is no pool. */
export async function setup(): Promise<void> {
  process.env[FILES] = await mkdtemp(join(tmpdir(), 'qrpress-files-'));
  const name = `qrpress_test_${randomBytes(8).toString('hex')}`;
  try {
    await onServer(async (server) => {
      await server.query(`create database ${name}`);
      await server.query(`create table ${name}.free (name varchar(64) primary key, shape char(64) not null)`);
    });
    process.env[POOL] = name;
  } catch {
    // The tests report the missing server themselves.
  }
}

/** Removes the run's databases from the server. */
export async function teardown(): Promise<void> {
  await rm(process.env[FILES] as string, { recursive: true });
  const name = process.env[POOL];
  if (name !== undefined) {
    await onServer(async (server) => {
      for (const left of await column(server, 'select schema_name from information_schema.schemata')) {
        if (left.startsWith(name)) {
          await server.query(`drop database ${left}`);
        }
      }
    });
  }
}

/** Copies the SQLite file with tables to `path`. The first test that asks makes it by `makeTables`. */
export async function copyTables(path: string, makeTables: (path: string) => Promise<void>): Promise<void> {
  const made = join(process.env[FILES] as string, 'tables.db');
  const isCopied = await copyFile(made, path).then(
    () => true,
    () => false,
  );
  if (!isCopied) {
    const own = `${made}.${process.pid}`;
    await makeTables(own);
    // Other processes may make one too: each is whole when it has its name.
    await rename(own, made);
    await copyFile(made, path);
  }
}

/** A database with empty tables. `giveBack` returns it to the pool. */
export interface PooledDatabase {
  name: string;
  giveBack: () => Promise<void>;
}

/** A database of the pool, or a new one that `makeTables` fills. Undefined without a pool. */
export async function takeDatabase(makeTables: (name: string) => Promise<void>): Promise<PooledDatabase | undefined> {
  const pool = process.env[POOL];
  if (pool === undefined) {
    return undefined;
  }
  return onServer(async (server) => {
    const taken = await takeFree(server, pool);
    const name = taken?.name ?? `${pool}_${randomBytes(8).toString('hex')}`;
    if (taken === undefined) {
      await server.query(`create database ${name}`);
      await makeTables(name);
    }
    const shape = taken?.shape ?? (await shapeOf(server, name));
    return { name, giveBack: () => onServer((later) => giveBack(later, pool, name, shape)) };
  });
}

async function takeFree(server: Connection, pool: string): Promise<{ name: string; shape: string } | undefined> {
  for (;;) {
    const [rows] = await server.query<RowDataPacket[]>(`select name, shape from ${pool}.free limit 1`);
    const [row] = rows as { name: string; shape: string }[];
    if (row === undefined) {
      return undefined;
    }
    const [result] = await server.query(`delete from ${pool}.free where name = ?`, [row.name]);
    if ('affectedRows' in result && result.affectedRows === 1) {
      return row;
    }
  }
}

async function giveBack(server: Connection, pool: string, name: string, shape: string): Promise<void> {
  const left = await shapeOf(server, name).catch(() => undefined);
  if (left !== shape) {
    await server.query(`drop database if exists ${name}`);
    return;
  }
  const tables = await column(
    server,
    `select table_name from information_schema.tables where table_schema = '${name}' and table_name not like 'kysely%'`,
  );
  await server.query('set foreign_key_checks = 0');
  for (const table of tables) {
    await server.query(`delete from ${name}.${table}`);
  }
  await server.query(`insert into ${pool}.free values (?, ?)`, [name, shape]);
}

/** Hash of the tables, their columns, keys and indexes, and of the list of migrations. */
async function shapeOf(server: Connection, name: string): Promise<string> {
  const hash = createHash('sha256');
  for (const query of [
    `select table_name, column_name, ordinal_position, column_type, is_nullable, column_default, extra
     from information_schema.columns where table_schema = '${name}' order by 1, 3`,
    `select table_name, constraint_name, constraint_type
     from information_schema.table_constraints where table_schema = '${name}' order by 1, 2, 3`,
    `select table_name, index_name, seq_in_index, column_name, non_unique
     from information_schema.statistics where table_schema = '${name}' order by 1, 2, 3`,
    `select trigger_name from information_schema.triggers where trigger_schema = '${name}' order by 1`,
    `select name from ${name}.kysely_migration order by 1`,
  ]) {
    const [rows] = await server.query({ sql: query, rowsAsArray: true });
    hash.update(`${JSON.stringify(rows)}\n`);
  }
  return hash.digest('hex');
}

async function column(server: Connection, query: string): Promise<string[]> {
  const [rows] = await server.query({ sql: query, rowsAsArray: true });
  return (rows as unknown as string[][]).map(([value = '']) => value);
}

async function onServer<T>(work: (server: Connection) => Promise<T>): Promise<T> {
  const server = await createConnection(SERVER_URL);
  try {
    return await work(server);
  } finally {
    await server.end();
  }
}
