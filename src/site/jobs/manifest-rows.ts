/** The list of codes as CSV for people: the API's manifest, and before its columns the row or line of each code in the person's list. */

import { Readable } from 'node:stream';
import type { Job } from '../../jobs/job.js';
import type { SourcePlaces } from '../../jobs/source-places.js';

const [QUOTE, LINE_FEED] = [0x22, 0x0a];

/** The manifest as it is, where the rows are not known. */
export function manifestWithRows({ sourcePlaces }: Job, manifest: Readable): Readable {
  return sourcePlaces === null ? manifest : Readable.from(withRows(manifest, sourcePlaces), { objectMode: false });
}

/** @param manifest CSV, whose first line has the names of columns and whose first column has indices, in order */
export async function* withRows(
  manifest: AsyncIterable<Buffer>,
  { unit, runs }: SourcePlaces,
): AsyncGenerator<Buffer, void> {
  let [run, itemsBefore] = [0, 0];
  const placeOf = (item: number) => {
    for (let count = runs[run]?.[1]; count !== undefined && item - itemsBefore >= count; count = runs[run]?.[1]) {
      run += 1;
      itemsBefore += count;
    }
    const [first] = runs[run] ?? [];
    return first === undefined ? '' : first + item - itemsBefore;
  };
  let isFirst = true;
  let rest = Buffer.alloc(0);
  for await (const piece of manifest) {
    const bytes = Buffer.concat([rest, piece]);
    const lines: Buffer[] = [];
    let [start, isQuoted] = [0, false];
    for (let at = 0; at < bytes.length; at += 1) {
      if (bytes[at] === QUOTE) {
        isQuoted = !isQuoted;
      } else if (bytes[at] === LINE_FEED && !isQuoted) {
        const cell = isFirst ? unit : placeOf(Number.parseInt(bytes.toString('latin1', start, start + 8), 10));
        lines.push(Buffer.from(`${cell},`), bytes.subarray(start, at + 1));
        isFirst = false;
        start = at + 1;
      }
    }
    rest = bytes.subarray(start);
    if (lines.length > 0) {
      yield Buffer.concat(lines);
    }
  }
}
