/** Items and the rows of the sheet that they are made from. */

import { expect, it } from 'vitest';
import { itemAt, placeOf, placesOfSome, sourcePlaces } from '../../src/jobs/source-places.js';

/** Two lines above the header of a sheet whose rows 4 to 6 and 9 are items. */
const PLACES = sourcePlaces(
  [
    { first: 2, count: 3 },
    { first: 7, count: 1 },
  ],
  { unit: 'row', rowsBeforeLine1: 2 },
);

it('finds the row of an item', () => {
  expect([0, 1, 2, 3, 4].map((item) => placeOf(PLACES, item))).toEqual([4, 5, 6, 9, undefined]);
});

it('finds the item of a row, or the next one', () => {
  expect([1, 4, 6, 7, 8, 9, 10].map((row) => itemAt(PLACES, row))).toEqual([0, 0, 2, 3, 3, 3, 4]);
});

it('keeps the rows of items that are made anew', () => {
  const one = placesOfSome(PLACES, [{ first: 2, count: 1 }], 3);
  expect(one).toEqual({ unit: 'row', runs: [[9, 1]] });
  // Line 3 of the body is blank: this item was drawn.
  const some = placesOfSome(
    PLACES,
    [
      { first: 2, count: 1 },
      { first: 4, count: 2 },
    ],
    0,
  );
  expect([0, 1, 2].map((item) => placeOf(some, item))).toEqual([4, 6, 9]);
});

it('gives no item the row of another behind one whose row is not known', () => {
  const lines = [
    { first: 5, count: 2 },
    { first: 2, count: 1 },
  ];
  expect(placesOfSome(PLACES, lines, 0).runs).toEqual([[9, 1]]);
});

it('keeps what is wrong with the first rows that were left out, within a bound', () => {
  const faulty = Array.from({ length: 60 }, (_, at) => ({
    row: 10 + Math.floor(at / 3),
    what: '',
    message: 'é'.repeat(300),
  }));
  const { skipped, reasons = [] } = sourcePlaces([], { unit: 'row', rowsBeforeLine1: 0, faulty });
  expect(skipped).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect([reasons.length, reasons[0]]).toEqual([20, `${'é'.repeat(199)}…`]);
});

it('keeps a bounded number of runs', () => {
  const lines = Array.from({ length: 1_000 }, (_, run) => ({ first: 2 + 3 * run, count: 2 }));
  const places = sourcePlaces(lines, { unit: 'line', rowsBeforeLine1: -1 });
  const all = placesOfSome(places, [{ first: 2, count: 2_000 }], 0);
  expect(all).toEqual(places);
  const odd = placesOfSome(
    places,
    Array.from({ length: 2_000 }, (_, item) => ({ first: 2 + item, count: 1 })),
    0,
  );
  expect(odd.runs).toHaveLength(1_000);
  expect([placeOf(odd, 999), placeOf(odd, 1_000)]).toEqual([placeOf(places, 999), undefined]);
});
