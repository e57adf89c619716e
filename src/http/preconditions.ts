/** Preconditions of requests (RFC 9110, section 13). An absent header is an empty string here. */

/** Identify a version of a representation. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  etag: string;
  /** Absent when unknown. */
  lastModified?: Date;
}

/** Returns a request header by name. */
export type HeaderOf = (name: string) => string;

/** All three forms of an HTTP date (RFC 9110, section 5.6.7) begin with a day's name; the time follows. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]*\d\d:\d\d:\d\d/;

/**
 * True when a GET or HEAD is answered with 304, in the order of RFC 9110, section 13.2.2. A malformed date counts as
 * absent.
 */
export function isNotModified(headerOf: HeaderOf, { etag, lastModified }: Validators): boolean {
  const ifNoneMatch = headerOf('If-None-Match');
  if (ifNoneMatch !== '') {
    // Weak comparison (section 8.8.3.2).
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.some((tag) => tag === '*' || tag === etag);
  }
  const date = httpDate(headerOf('If-Modified-Since'));
  return date !== undefined && lastModified !== undefined && wholeSeconds(lastModified) <= date;
}

/** True when `If-Range` allows a range: it is absent, or matches exactly (strong comparison; section 13.1.5). */
export function allowsRange(ifRange: string, { etag, lastModified }: Validators): boolean {
  const isDate = lastModified !== undefined && httpDate(ifRange) === wholeSeconds(lastModified);
  return ifRange === '' || ifRange === etag || isDate;
}

/** Unix milliseconds. One of the three forms does not name its time zone, GMT. */
function httpDate(text: string): number | undefined {
  const date = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** HTTP dates have no fractions. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
