/** Dates and times as people write them in sheets: ISO 8601, as RFC 3339 or with a space and without seconds or zone. */

/** A date, or a time on it. */
export interface Moment {
  /** `local`: the time of the place where the code is read. */
  form: 'date' | 'local' | 'utc';
  /** Since 1970-01-01 00:00, in UTC or in no zone. */
  ms: number;
}

export const DAY_MS = 86_400_000;

/** `2026-01-31`, `2026-01-31 18:00`, `2026-01-31T18:00:00+01:00`; years from 1900 to 2999. Parts of a second are left out. */
export function parseMoment(text: string): Moment | undefined {
  const [, date = '', time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/.exec(
      text,
    ) ?? [];
  const day = Date.parse(`${date}T00:00:00Z`);
  // `Date` takes 30 February for 2 March.
  if (Number.isNaN(day) || date < '1900' || date >= '3000' || new Date(day).toISOString().slice(0, 10) !== date)
    return undefined;
  if (time === undefined) return { form: 'date', ms: day };
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const ms = day + ((hours * 60 + minutes) * 60 + Math.trunc(seconds)) * 1_000;
  if (zone === undefined) return { form: 'local', ms };
  if (zone === 'Z') return { form: 'utc', ms };
  const offset = (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * 60_000;
  return { form: 'utc', ms: zone.startsWith('-') ? ms + offset : ms - offset };
}

/** `20260131`. */
export function dateDigits(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
}

/** `20260131T180000`. */
export function timeDigits(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[:-]/g, '');
}
