/** Rows that have expired are deleted in steps, all of them and no others. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/database/connection.js';
import { deleteExpired, deleteSettled } from '../../src/database/delete-expired.js';
import { newRowId } from '../../src/database/row-id.js';
import { describeOnDatabases, openTestDatabase } from '../support/databases.js';

describeOnDatabases('deleting what has expired', (kind) => {
  let database: Database;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ database, close } = await openTestDatabase(kind));
  });
  afterEach(() => close());

  test.each([
    ['at different times', (row: number) => row + 1],
    ['at the same time', () => 1_000],
  ])('takes as many steps as it needs, for rows that expire %s', async (_, timeOf) => {
    const rows = Array.from({ length: 1_200 }, (_each, row) => ({
      id_hash: String(row).padStart(64, '0'),
      expires_at: timeOf(row),
    }));
    await database
      .insertInto('sent_forms')
      .values([...rows, { id_hash: 'left', expires_at: 1_201 }])
      .execute();
    await deleteExpired(database, 'sent_forms', 1_200);
    expect(await database.selectFrom('sent_forms').select('expires_at').execute()).toEqual([{ expires_at: 1_201 }]);
  });

  test('keeps what waits for an attempt', async () => {
    const mail = { recipient: 'a@example.org', subject: '', text: '', html: '', attempts: 1, last_error: null };
    const rows = Array.from({ length: 600 }, (_, row) => ({
      ...mail,
      id: newRowId(),
      next_attempt_at: row < 3 ? 5 : null,
      created_at: row,
    }));
    await database.insertInto('mails').values(rows).execute();
    await deleteSettled(database, 'mails', 598);
    const left = await database.selectFrom('mails').select('created_at').orderBy('created_at').execute();
    expect(left.map((row) => row.created_at)).toEqual([0, 1, 2, 599]);
  });
});
