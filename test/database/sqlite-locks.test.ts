/** An SQLite file that another process locks: a write waits for the lock, and nothing else waits with it. */

import LibsqlDatabase from 'libsql';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeWrite } from '../../src/database/connection.js';
import { transact } from '../../src/database/transaction.js';
import { openTestDatabase, sqlite } from '../support/databases.js';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
/** As another process has it. */
let other: LibsqlDatabase.Database;
beforeEach(async () => {
  opened = await openTestDatabase(sqlite);
  other = new LibsqlDatabase(opened.url.slice('sqlite:'.length));
});
afterEach(async () => {
  other.close();
  await opened.close();
});

const raise = () => opened.database.updateTable('organisations').set({ balance: 1 }).execute();

test('writes that wait together get the lock when it is free, and reads see at once what was written meanwhile', async () => {
  const { database } = opened;
  other.exec('begin immediate');
  other.exec('create table notes (text text)');
  const writes = [raise(), database.deleteFrom('organisations').execute()];
  for (let turn = 0; turn < 5; turn += 1) {
    await database.selectFrom('organisations').select('id').execute();
    await new Promise(setImmediate);
  }
  other.exec('commit');
  other.exec("insert into notes values ('new')");
  const { rows } = await sql`select text from notes`.execute(database);
  expect(rows).toEqual([{ text: 'new' }]);
  await Promise.all(writes);
});

test('lets the event loop, reads and probes go on while writes wait', async () => {
  const { database } = opened;
  other.exec('begin immediate');
  const writes = [raise(), transact(database, (transaction) => transaction.deleteFrom('organisations').execute())];
  let written = 0;
  for (const write of writes) {
    void write.then(() => (written += 1));
  }
  for (let turn = 0; turn < 20; turn += 1) {
    const began = performance.now();
    await sql`select 1`.execute(database);
    await probeWrite(database);
    await new Promise(setImmediate);
    expect(performance.now() - began).toBeLessThan(1_000);
  }
  expect(written).toBe(0);
  other.exec('commit');
  await Promise.all(writes);
});
