/** Writes that share a transaction: each gets its own outcome, and what arrives meanwhile goes together. */

import { expect, test } from 'vitest';
import { GroupedWrites } from '../../src/database/transaction.js';

test('writes together what arrives while others are written, and refuses one without the others', async () => {
  const groups: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const writes = new GroupedWrites(async (entries: readonly number[]) => {
    groups.push(entries);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return new Map([[4, new Error('refused')]]);
  });
  const outcomes = Promise.allSettled([1, 2, 3, 4, 5].map((entry) => writes.add(entry)));
  expect(groups).toEqual([[1]]);
  ends.shift()?.();
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4, 5]]);
  for (const end of ends) end();
  expect((await outcomes).map(({ status }) => status === 'rejected')).toEqual([false, false, false, true, false]);
});

test('tells all of a group that fails', async () => {
  const writes = new GroupedWrites<number>(() => Promise.reject(new Error('the database is away')));
  const outcomes = await Promise.allSettled([1, 2, 3].map((entry) => writes.add(entry)));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
});
