/** Byte ranges and preconditions of a download (RFC 9110, sections 13 and 14); a header that is absent is empty here. */

/** Bytes `start` to `end`, both inclusive, from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What identifies a version of the archive. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  etag: string;
  /** Unix milliseconds. */
  lastModified: number;
}

/**
 * The one range that a `Range` header asks for. `undefined`: send the whole, since the header is empty, malformed, of
 * another unit, or asks for several ranges. `unsatisfiable`: it lies beyond the end.
 */
export function rangeOf(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') {
    return undefined;
  }
  if (first === '') {
    const suffix = Math.min(Number(last), bytes);
    return suffix === 0 ? 'unsatisfiable' : { start: bytes - suffix, end: bytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Number(last);
  if (end < start && last !== '') {
    return undefined;
  }
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) };
}

/** Whether `If-Range` allows a range: empty, or exactly this version (strong comparison). */
export function allowsRange(ifRange: string, { etag, lastModified }: Validators): boolean {
  return ifRange === '' || ifRange === etag || Date.parse(ifRange) === wholeSeconds(lastModified);
}

/** Whether the client has this version already, by `If-None-Match` (weak comparison) or else `If-Modified-Since`. */
export function isFresh(ifNoneMatch: string, ifModifiedSince: string, { etag, lastModified }: Validators): boolean {
  if (ifNoneMatch !== '') {
    return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  }
  return ifModifiedSince !== '' && wholeSeconds(lastModified) <= Date.parse(ifModifiedSince);
}

/** HTTP dates have no fractions. */
function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
