/** Preconditions of a request (RFC 9110, section 13); a header that is absent is empty here. */

/** What identifies a version of a representation. */
export interface Validators {
  /** A strong entity tag, quotes included. */
  etag: string;
  /** Absent where nobody knows. */
  lastModified?: Date;
}

/** The value of a request header by its name. */
export type HeaderOf = (name: string) => string;

/** What the preconditions of a GET or HEAD say: go on, 304, or 412. */
export type Verdict = 'go on' | 'not modified' | 'failed';

/** A day's name opens all three forms of an HTTP date (RFC 9110, section 5.6.7), and the time follows. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]*\d\d:\d\d:\d\d/;

/** Evaluates the preconditions in the order of RFC 9110, section 13.2.2; a date that is none is as if it were absent. */
export function evaluatePreconditions(headerOf: HeaderOf, { etag, lastModified }: Validators): Verdict {
  const [ifMatch, ifNoneMatch] = [headerOf('If-Match'), headerOf('If-None-Match')];
  const modifiedAfter = (header: string): boolean | undefined => {
    const date = httpDate(headerOf(header));
    return date === undefined || lastModified === undefined ? undefined : wholeSeconds(lastModified) > date;
  };
  if (
    ifMatch === '' ? modifiedAfter('If-Unmodified-Since') === true : !tagsOf(ifMatch).some((tag) => names(tag, etag))
  ) {
    return 'failed';
  }
  const isKnown =
    ifNoneMatch === ''
      ? modifiedAfter('If-Modified-Since') === false
      : tagsOf(ifNoneMatch).some((tag) => names(tag.replace(/^W\//, ''), etag));
  return isKnown ? 'not modified' : 'go on';
}

/** Whether `If-Range` allows a range: empty, or exactly this version (strong comparison; section 13.1.5). */
export function allowsRange(ifRange: string, { etag, lastModified }: Validators): boolean {
  const isDate = lastModified !== undefined && httpDate(ifRange) === wholeSeconds(lastModified);
  return ifRange === '' || ifRange === etag || isDate;
}

function tagsOf(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}

function names(tag: string, etag: string): boolean {
  return tag === '*' || tag === etag;
}

/** Unix milliseconds. One of the forms leaves out that it means Greenwich. */
function httpDate(text: string): number | undefined {
  const date = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** HTTP dates have no fractions. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}
