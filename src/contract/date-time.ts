/** Times and days as callers write them: RFC 3339. */

/** RFC 3339, section 5.6. */
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,3}(\d*))?(?:Z|[+-]\d\d:\d\d)$/i;

/** Unix milliseconds; `round` says which of the two that a finer time lies between. Undefined when the text is not a valid time. */
export function parseDateTime(text: string, round: (ms: number) => number = Math.floor): number | undefined {
  const [, year, month, day, beyondMs = ''] = DATE_TIME.exec(text) ?? [];
  const time = day === undefined ? Number.NaN : Date.parse(text.toUpperCase());
  const daysOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  // `Date.parse` accepts 30 February as 2 March.
  // `Date.parse` leaves out what is finer.
  return Number.isNaN(time) || Number(day) > daysOfMonth ? undefined : time + round(Number(`0.${beyondMs}`));
}

/** Unix milliseconds of the start of a day such as 2026-01-31, in UTC. Undefined when there is no such day. */
export function parseDay(text: string): number | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseDateTime(`${text}T00:00:00Z`) : undefined;
}

/** The UTC day of a time, as `parseDay` takes it. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
