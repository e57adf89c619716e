/** Writes that share a transaction: each gets its own outcome, and what arrives meanwhile goes together. */

import { expect, test } from 'vitest';
import { GroupedWrites } from '../../src/database/transaction.js';

const one = () => 'one';

test('writes together what arrives while others are written, and refuses one without the others', async () => {
  const groups: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const writes = new GroupedWrites(async (entries: readonly number[]) => {
    groups.push(entries);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return new Map([[4, new Error('refused')]]);
  }, one);
  const outcomes = Promise.allSettled([1, 2, 3, 4, 5].map((entry) => writes.add(entry)));
  expect(groups).toEqual([[1]]);
  ends.shift()?.();
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4, 5]]);
  for (const end of ends) end();
  expect((await outcomes).map(({ status }) => status === 'rejected')).toEqual([false, false, false, true, false]);
});

test('says so to all of a group whose database is away, which is not asked again', async () => {
  let asked = 0;
  const writes = new GroupedWrites<number>(() => {
    asked += 1;
    return Promise.reject(Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED', errno: -111 }));
  }, one);
  const outcomes = await Promise.allSettled([1, 2, 3].map((entry) => writes.add(entry)));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  // The first alone, and then those that arrived meanwhile.
  expect(asked).toBe(2);
});

test('fails one entry that cannot be written, and none of the others', async () => {
  const written: string[] = [];
  const writes = new GroupedWrites(
    async (entries: readonly string[]) => {
      if (entries.includes('a-bad')) {
        throw Object.assign(new Error('too long'), { code: 'ER_DATA_TOO_LONG', errno: 1406, sqlState: '22001' });
      }
      written.push(...entries);
      return new Map();
    },
    ([holder = '']) => holder,
  );
  const entries = ['b1', 'a1', 'a-bad', 'a2', 'b2', 'c1'];
  const outcomes = await Promise.allSettled(entries.map((entry) => writes.add(entry)));
  expect(entries.filter((_, index) => outcomes[index]?.status === 'rejected')).toEqual(['a-bad']);
  expect(written.toSorted()).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
});

test('writes the entries of a holder whose row is locked apart from those of others, until they succeed', async () => {
  const groups: string[] = [];
  let isLocked = true;
  const writes = new GroupedWrites(
    async (entries: readonly string[]) => {
      groups.push(entries.join());
      await Promise.resolve();
      if (isLocked && entries.some((entry) => entry.startsWith('a'))) {
        throw Object.assign(new Error('lock wait'), { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205, sqlState: 'HY000' });
      }
      return new Map();
    },
    ([holder = '']) => holder,
  );
  const outcomes = await Promise.allSettled(['b1', 'a1', 'a2', 'b2'].map((entry) => writes.add(entry)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(groups).toEqual(['b1', 'a1,a2,b2', 'a1,a2', 'b2']);
  groups.length = 0;
  const next = await Promise.allSettled(['b3', 'a3', 'b4'].map((entry) => writes.add(entry)));
  expect(next.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(groups).toEqual(['b3', 'a3', 'b4']);
  isLocked = false;
  groups.length = 0;
  await writes.add('a4');
  await Promise.all(['b5', 'a5', 'b6'].map((entry) => writes.add(entry)));
  expect(groups).toEqual(['a4', 'b5', 'a5,b6']);
});

test.each([
  ['says that a statement is too long', { code: 'ER_NET_PACKET_TOO_LARGE', errno: 1153, sqlState: '08S01' }],
  ['closes the connection on which a statement is too long', { code: 'ECONNRESET', fatal: true }],
])('a server that %s: only the entry that is too long fails', async (_, members) => {
  const writes = new GroupedWrites(
    async (entries: readonly string[]) => {
      await Promise.resolve();
      if (entries.includes('a2')) {
        throw Object.assign(new Error('too long'), members);
      }
      return new Map();
    },
    ([holder = '']) => holder,
  );
  const outcomes = await Promise.allSettled(['b1', 'a1', 'a2', 'b2', 'c1'].map((entry) => writes.add(entry)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

test.each(['OUTCOME_UNKNOWN', 'NOT_COMMITTED', 'ECONNREFUSED'])(
  'a group that fails with %s is not written again',
  async (code) => {
    let writesSoFar = 0;
    const writes = new GroupedWrites<string>(
      async () => {
        writesSoFar += 1;
        throw Object.assign(new Error('no'), { code });
      },
      ([holder = '']) => holder,
    );
    await Promise.allSettled(['x1', 'a1', 'b1'].map((entry) => writes.add(entry)));
    expect(writesSoFar).toBe(2);
  },
);
