/** The byte ranges that a `Range` header asks for (RFC 9110, section 14). The library for this takes a suffix that is longer than the whole for unsatisfiable. */

/** Bytes `start` to `end`, both inclusive, from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** More are answered with the whole: nobody needs them but for making work (section 17.15). */
const MOST_RANGES = 5;

/**
 * The ranges that `header` asks for, in its order, without those that lie beyond the end; at least one. `undefined`:
 * send the whole, since the header is empty, malformed, of another unit, or asks for too many ranges or for bytes twice.
 * `unsatisfiable`: all lie beyond the end.
 */
export function rangesOf(header: string, bytes: number): ByteRange[] | 'unsatisfiable' | undefined {
  const [, set] = /^bytes=([\d\-, \t]+)$/i.exec(header) ?? [];
  // A list may have empty elements (section 5.6.1.2).
  const specs = (set ?? '')
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  if (specs.length === 0 || specs.length > MOST_RANGES) {
    return undefined;
  }
  const ranges = specs.map((spec) => rangeOf(spec, bytes));
  if (ranges.includes('malformed')) {
    return undefined;
  }
  const satisfiable = ranges.filter((range) => typeof range === 'object');
  if (satisfiable.length === 0) {
    return 'unsatisfiable';
  }
  return overlap(satisfiable) ? undefined : satisfiable;
}

function rangeOf(spec: string, bytes: number): ByteRange | 'unsatisfiable' | 'malformed' {
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
  if (first === '' && last === '') {
    return 'malformed';
  }
  if (first === '') {
    const suffix = Math.min(Number(last), bytes);
    return suffix === 0 ? 'unsatisfiable' : { start: bytes - suffix, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) {
    return 'malformed';
  }
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) };
}

function overlap(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((left, right) => left.start - right.start);
  return sorted.some(({ start }, index) => index > 0 && start <= sorted[index - 1]!.end);
}
