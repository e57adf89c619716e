/** Writes that share a transaction: each gets its own outcome, and what arrives meanwhile goes together. */

import { expect, test } from 'vitest';
import { GroupedWrites, type Outcome } from '../../src/database/grouped-writes.js';

test('writes together what arrives while others are written, and refuses one without the others', async () => {
  const groups: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const writes = new GroupedWrites(async (entries: readonly number[]): Promise<Outcome<number>[]> => {
    groups.push(entries);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return entries.map((entry) => (entry === 4 ? { refusal: new Error('refused') } : { value: -entry }));
  });
  const outcomes = Promise.allSettled([1, 2, 3, 4, 5].map((entry) => writes.add(entry)));
  expect(groups).toEqual([[1], [2]]);
  ends.shift()?.();
  await expect.poll(() => groups.length).toBe(3);
  expect(groups[2]).toEqual([3, 4, 5]);
  for (const end of ends) end();
  expect((await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
    -1,
    -2,
    -3,
    'refused',
    -5,
  ]);
});

test('tells all of a group that fails', async () => {
  const writes = new GroupedWrites<number, number>(() => Promise.reject(new Error('the database is away')));
  const outcomes = await Promise.allSettled([1, 2, 3].map((entry) => writes.add(entry)));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
});
