/** An event as iCalendar (RFC 5545). */

import type { KindValues } from '../../contract/kinds.js';
import { lines, textLine } from './contact.js';
import { dateDigits, DAY_MS, type Moment, parseMoment, timeDigits } from './time.js';
import { bytesOf, KindError, Values } from './values.js';

/** Dates and times are written as `2026-01-31`, `2026-01-31 18:00` or `2026-01-31T18:00:00+01:00`. @throws KindError */
export function eventData(given: KindValues<'event'>): string {
  const values = new Values('event', given);
  const start = momentOf('start', values.trimmed('start'));
  const written = values.trimmed('end');
  const end = written === '' ? undefined : momentOf('end', written);
  if (end !== undefined) {
    if (end.form !== start.form) {
      throw new KindError('end', 'start and end are both dates, both times, or both times with a zone.');
    }
    if (end.ms < start.ms || (end.ms === start.ms && end.form !== 'date')) {
      throw new KindError('end', 'the end is before the start, or at the same time.');
    }
  }
  const rest = [
    property('DTSTART', start),
    // The last day, which people write, is part of the event; the document wants the first day that is not.
    ...(end ? [property('DTEND', end.form === 'date' ? { ...end, ms: end.ms + DAY_MS } : end)] : []),
    ...textLine('SUMMARY', values.trimmed('title')),
    ...textLine('LOCATION', values.trimmed('location')),
    ...textLine('DESCRIPTION', values.trimmed('description')),
  ];
  return lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//qrpress//EN',
    'BEGIN:VEVENT',
    // The document requires both. Neither comes from a clock: the same values give the same code.
    `UID:${hash(lines(rest))}@qrpress`,
    `DTSTAMP:${timeDigits(start.ms)}Z`,
    ...rest,
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
}

function momentOf(field: 'start' | 'end', written: string): Moment {
  const moment = parseMoment(written);
  if (moment === undefined) {
    const message = 'write dates and times as 2026-01-31, 2026-01-31 18:00 or 2026-01-31T18:00:00+01:00.';
    throw new KindError(field, message);
  }
  return moment;
}

function property(name: string, { form, ms }: Moment): string {
  if (form === 'date') return `${name};VALUE=DATE:${dateDigits(ms)}`;
  return `${name}:${timeDigits(ms)}${form === 'utc' ? 'Z' : ''}`;
}

/** FNV-1a of 32 bits. */
function hash(content: string): string {
  let sum = 0x81_1c_9d_c5;
  for (const byte of bytesOf(content)) sum = Math.imul(sum ^ byte, 0x01_00_01_93);
  return (sum >>> 0).toString(16).padStart(8, '0');
}
