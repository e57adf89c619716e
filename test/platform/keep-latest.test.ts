/** A map that keeps the entries that were used last. */

import { expect, it } from 'vitest';
import { keepLatest } from '../../src/platform/keep-latest.js';

it('keeps the entries that were used last', () => {
  const entries = new Map<string, number>();
  for (const [place, key] of ['a', 'b', 'a', 'c'].entries()) {
    keepLatest(entries, key, place, 2);
  }
  expect([...entries]).toEqual([
    ['a', 2],
    ['c', 3],
  ]);
});
