/** The rows that a person wants on labels: a list such as `1-40, 52` in the numbers of their own list, and the items of the job. */

import { type ItemList, labelRefusal } from '../../contract/label-fit.js';
import { type ItemRange, together, within } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';
import type { Job } from '../../jobs/job.js';
import { itemAt, placeOf, type SourcePlaces } from '../../jobs/source-places.js';

/** A number, or two with a dash between: the second may be missing, as the last. */
const PART = /^(\d{1,7})(?:([-–])(\d{1,7})?)?$/;

type Rows = Pick<Job, 'sourcePlaces' | 'total'>;

/** What the numbers of a list are. */
export function unitOfRows(job: Rows): 'row' | 'line' | 'code' {
  return placesOf(job)?.unit ?? 'code';
}

/** The numbers that a list may have, and a list of some of them. */
export function numbersOf(job: Rows): { first: number; last: number; example: string } {
  const numbers = [0, Math.floor(job.total / 2) - 1, job.total - 1].map((item) => numberOf(placesOf(job), item));
  const [first = 1, middle = 1, last = 1] = numbers;
  return { first, last, example: job.total < 4 ? `${last}` : `${first}-${middle}, ${last}` };
}

/** @throws ApiError `invalid_input` at `printRows` */
export function itemsOfRows(text: string, job: Rows): ItemRange[] {
  return together(rangesOfRows(text, job));
}

/** The items of a list that are named more than once. They are printed once. */
export function namedTwice(text: string, job: Rows): ItemList {
  let end = 0;
  const again = (text === '' ? [] : rangesOfRows(text, job))
    .toSorted((one, other) => one.firstItem - other.firstItem)
    .flatMap(({ firstItem, endItem }) => {
      const range = { firstItem, endItem: Math.min(endItem, end) };
      end = Math.max(end, endItem);
      return range.firstItem < range.endItem ? [range] : [];
    });
  const ranges = together(again);
  return { count: ranges.reduce((sum, { firstItem, endItem }) => sum + endItem - firstItem, 0), ranges };
}

function rangesOfRows(text: string, job: Rows): ItemRange[] {
  const places = placesOf(job);
  const { first, last, example } = numbersOf(job);
  const parts = text.replaceAll(/\s*([-–])\s*/g, '$1').split(/[\s,;]+/);
  const ranges = parts.filter(Boolean).map((part) => {
    const [, from, dash, to] = PART.exec(part) ?? [];
    const [start, end] = [Number(from), Number(to ?? (dash ? last : from))];
    if (from !== undefined && to !== undefined && start > end) {
      refuse(`“${part}” is the wrong way round. Write ${to}-${from}`);
    }
    if (from === undefined || start > end) {
      refuse(`Type numbers such as ${example}, not “${part}”`);
    }
    const items = { firstItem: indexOf(places, start), endItem: Math.min(job.total, indexOf(places, end + 1)) };
    const unit = unitOfRows(job);
    if (start < first || end > last) {
      refuse(`This job has ${unit}s ${first} to ${last}, and no ${unit} ${start < first ? start : end}`);
    }
    if (items.firstItem >= items.endItem) {
      refuse(`${unit} ${part} has no code in this job`);
    }
    return items;
  });
  if (ranges.length === 0 || ranges.length > LIMITS.labelRanges) {
    refuse(`Type 1 to ${LIMITS.labelRanges} numbers or ranges, such as ${example}`);
  }
  return ranges;
}

/** The list of some items; empty for all. */
export function rowsOfItems(items: readonly ItemRange[], job: Rows): string {
  const [range] = items;
  if (items.length === 1 && range?.firstItem === 0 && range.endItem === job.total) {
    return '';
  }
  const places = placesOf(job);
  return items
    .map(({ firstItem, endItem }) => {
      const [first, last] = [numberOf(places, firstItem), numberOf(places, endItem - 1)];
      return first === last ? `${first}` : `${first}-${last}`;
    })
    .join(', ');
}

/** The ranges without some items. */
export function leavingOut(ranges: readonly ItemRange[], items: readonly ItemRange[]): ItemRange[] {
  const end = ranges.at(-1)?.endItem ?? 0;
  const left = together(items);
  const kept = [...left, { firstItem: end, endItem: end }].map(({ firstItem }, place) => ({
    firstItem: left[place - 1]?.endItem ?? 0,
    endItem: firstItem,
  }));
  return kept.flatMap((gap) => within(ranges, gap));
}

/** The places in the person's list, where those of all items are known. Else items have their own numbers, from 1. */
function placesOf({ sourcePlaces, total }: Rows): SourcePlaces | undefined {
  return sourcePlaces !== null && placeOf(sourcePlaces, total - 1) !== undefined ? sourcePlaces : undefined;
}

function numberOf(places: SourcePlaces | undefined, item: number): number {
  return (places && placeOf(places, item)) ?? item + 1;
}

/** The first item of a number, or of a later one. */
function indexOf(places: SourcePlaces | undefined, number: number): number {
  return places === undefined ? Math.max(0, number - 1) : itemAt(places, number);
}

function refuse(message: string): never {
  throw labelRefusal([{ path: '/printRows', code: 'invalid_value', message }]);
}
