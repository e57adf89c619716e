/** The places of a job's items in the list that a person gave: rows of a sheet, or lines of a text. */

import type { LineRun, SpreadsheetProblem } from '../engine/engine.js';

/** Kept with the job. */
export interface SourcePlaces {
  unit: 'row' | 'line';
  /** Neighbouring rows or lines that are items, in order. The engine bounds their number: items behind the last run have no known place. */
  runs: readonly (readonly [first: number, count: number])[];
  /** The first faulty rows or lines that were left out. Absent where none was, and for jobs of earlier versions. */
  skipped?: readonly number[];
  /** The faults of those, as sentences with their places. */
  reasons?: readonly string[];
  /** The lines were typed in the studio. */
  isTyped?: boolean;
  /** The fields of the studio with the width in print that was ordered, as typed, and the resolution. Absent where none was. */
  ordered?: { widthMm: string; dpi: string };
  /** The scan check that was chosen in the studio: of a short list, that of some codes reads all. Absent for jobs of earlier versions. */
  verify?: 'sample' | 'all';
}

/** Rows of `skipped`: as many as a page names. */
const MOST_SKIPPED = 10;

/** Sentences of `reasons`, and characters of each: a row may have many. */
const [MOST_REASONS, REASON_CHARACTERS] = [20, 200];

/** Runs of a job that is made of some items of another. */
const MOST_RUNS = 1_000;

/** Line 1 of a body is no item. */
const FIRST_LINE = 2;

/**
 * @param rowsBeforeLine1 what a row's number is greater by than that of its line in the body
 * @param faulty what is wrong with the rows that are left out, by row
 */
export function sourcePlaces(
  lines: readonly LineRun[],
  {
    unit,
    rowsBeforeLine1,
    faulty = [],
  }: Pick<SourcePlaces, 'unit'> & { rowsBeforeLine1: number; faulty?: readonly SpreadsheetProblem[] },
): SourcePlaces {
  const skipped = [...new Set(faulty.flatMap(({ row }) => row ?? []))].slice(0, MOST_SKIPPED);
  const ofSkipped = faulty.filter(({ row }) => row !== undefined && skipped.includes(row)).slice(0, MOST_REASONS);
  const reasons = ofSkipped.map(({ message }) => shortened(message));
  const runs = lines.map(({ first, count }) => [first + rowsBeforeLine1, count] as const);
  return { unit, runs, ...(skipped.length > 0 && { skipped, reasons }) };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= REASON_CHARACTERS ? text : `${characters.slice(0, REASON_CHARACTERS - 1).join('')}…`;
}

/** The number of an item's row or line. Undefined where it is not known. */
export function placeOf({ runs }: SourcePlaces, item: number): number | undefined {
  let left = item;
  for (const [first, count] of runs) {
    if (left < count) return first + left;
    left -= count;
  }
  return undefined;
}

/** True where the place of each of a job's `total` items is known. */
export function areAllKnown({ runs }: SourcePlaces, total: number): boolean {
  return runs.reduce((sum, [, count]) => sum + count, 0) === total;
}

/** The first item of a row or line, or of a later one. Where none is known, the number of items before. */
export function itemAt({ runs }: SourcePlaces, place: number): number {
  let before = 0;
  for (const [first, count] of runs) {
    if (place < first + count) return before + Math.max(0, place - first);
    before += count;
  }
  return before;
}

/**
 * The places of another job's items, which are some of this one's.
 * @param lines of this job's body that are items. Each line, blank or not, stands for the next item of the other job, the first for
 * item `from`
 */
export function placesOfSome({ unit, runs }: SourcePlaces, lines: readonly LineRun[], from: number): SourcePlaces {
  const known: SourcePlaces['runs'][number][] = [];
  for (const { first, count } of lines) {
    const rows = rowsOf(runs, from + first - FIRST_LINE, count);
    known.push(...rows);
    // Behind an item without a place, others would get its place.
    if (rows.reduce((sum, [, each]) => sum + each, 0) < count) break;
  }
  return { unit, runs: known.slice(0, MOST_RUNS) };
}

/** The rows of `count` items from `from` on, as far as they are known. */
function rowsOf(runs: SourcePlaces['runs'], from: number, count: number): SourcePlaces['runs'] {
  let before = 0;
  return runs.flatMap(([first, items]): SourcePlaces['runs'] => {
    const [start, end] = [Math.max(from - before, 0), Math.min(from + count - before, items)];
    before += items;
    return start < end ? [[first + start, end - start]] : [];
  });
}
