/** Names of a job's items on pages: their rows or lines in the person's own list, or their numbers where those are not known. */

import type { ItemList } from '../../contract/label-fit.js';
import { placeOf, type SourcePlaces } from '../../jobs/source-places.js';
import type { Formats } from './formats.js';

/** Ranges of items that a sentence names. */
const MOST_RANGES = 10;

/** The first of so many names, such as `2, 5 and 300 more`. */
export function firstNames(names: readonly string[], count: number, { number }: Pick<Formats, 'number'>): string {
  const shown = [...names];
  const last = count > shown.length ? `${number(count - shown.length)} more` : shown.pop();
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} and ${last}`;
}

export class ItemNames {
  readonly formats: Formats;
  readonly #places: SourcePlaces | null;

  constructor(places: SourcePlaces | null, formats: Formats) {
    this.#places = places;
    this.formats = formats;
  }

  /** Such as `row 12`. */
  name(item: number): string {
    const { unit, number } = this.parts(item);
    return `${unit} ${number}`;
  }

  /** The name at the start of a sentence. */
  title(item: number): string {
    const name = this.name(item);
    return name.charAt(0).toUpperCase() + name.slice(1);
  }

  /** Such as `rows 12 to 20`. */
  range(first: number, count: number): string {
    const [from, to] = [this.parts(first), this.parts(first + count - 1)];
    if (count === 1) {
      return this.name(first);
    }
    const { number } = this.formats;
    return from.unit === to.unit
      ? `${from.unit}s ${from.number} to ${to.number}`
      : `codes ${number(first + 1)} to ${number(first + count)}`;
  }

  /** Items of which the first ranges are given, such as `rows 2 to 5, row 9 and 3 more`. */
  ranges({ count, ranges }: ItemList): string {
    const shown = ranges.slice(0, MOST_RANGES);
    const names = shown.map(({ firstItem, endItem }) => this.range(firstItem, endItem - firstItem));
    const rest = shown.reduce((left, { firstItem, endItem }) => left - (endItem - firstItem), count);
    return firstNames(names, names.length + rest, this.formats);
  }

  /** Two or more names, such as `rows 5, 9 and 12`. */
  list(items: readonly number[]): string {
    const parts = items.map((item) => this.parts(item));
    const numbers = parts.map(({ number }) => number);
    return `${parts[0]?.unit}s ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
  }

  /** The rows or lines of the list that were left out, such as `: rows 12, 20 and 3 more`. Empty where they are not known. */
  skipped(count: number): string {
    const { unit, skipped = [] } = this.#places ?? {};
    if (unit === undefined || skipped.length === 0) {
      return '';
    }
    const numbers = skipped.map((row) => this.formats.number(row));
    return `: ${unit}${count === 1 ? '' : 's'} ${firstNames(numbers, count, this.formats)}`;
  }

  /** The name in two parts, for lists. */
  parts(item: number): { unit: 'row' | 'line' | 'code'; number: string } {
    const { number } = this.formats;
    const place = this.#places === null ? undefined : placeOf(this.#places, item);
    return this.#places === null || place === undefined
      ? { unit: 'code', number: number(item + 1) }
      : { unit: this.#places.unit, number: number(place) };
  }
}
