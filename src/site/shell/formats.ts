/** Formats numbers, dates and sizes for the reader's locale. Words stay English. */

import type { Context } from 'koa';
import { counted } from '../../platform/counted.js';

const FALLBACK = 'en-GB';

/** Times are in UTC and say so. With scripts enabled, the page shows them in the reader's time zone. */
const ZONE = { timeZone: 'UTC' } as const;

export type Formats = ReturnType<typeof createFormats>;

/** The formats that were asked for last, oldest first. Each takes 0.2 MB, and milliseconds to create. */
const known = new Map<string, Formats>();

const MOST_KNOWN = 200;

/** Limits on the tags read from a header: each costs time, and a header has room for thousands. */
const TAGS = { number: 6, characters: 200 };

/** Formats for an `Accept-Language` header (RFC 9110, section 12.5.4): the most preferred locale that is supported. */
export function formatsFor(acceptLanguage: string): Formats {
  const locale = tagsOf(acceptLanguage).find(isSupported) ?? FALLBACK;
  let formats = known.get(locale);
  if (formats === undefined) {
    formats = createFormats(locale);
    // Strangers can name any number of locales, and must not keep those of others out.
    if (known.size >= MOST_KNOWN) {
      const [oldest = ''] = known.keys();
      known.delete(oldest);
    }
  }
  known.delete(locale);
  known.set(locale, formats);
  return formats;
}

/** The first tags, most preferred first. */
function tagsOf(header: string): string[] {
  const tags = header.slice(0, TAGS.characters).split(',').slice(0, TAGS.number);
  const weighted = tags.map((tag) => {
    const [name = '', weight] = tag.split(';');
    return { name: name.trim(), weight: weight === undefined ? 1 : Number(weight.replace(/^\s*q=/i, '')) };
  });
  return weighted
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ name }) => name);
}

function isSupported(locale: string): boolean {
  try {
    return (
      /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(locale) && Intl.NumberFormat.supportedLocalesOf(locale).length > 0
    );
  } catch {
    return false;
  }
}

function createFormats(locale: string) {
  const number = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: 'compact' });
  const change = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
  const toTheDay = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const date = new Intl.DateTimeFormat(locale, { ...toTheDay, ...ZONE });
  const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', ...ZONE });
  const toTheMinute = {
    ...toTheDay,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...ZONE,
  } as const;
  const dateTime = new Intl.DateTimeFormat(locale, toTheMinute);
  const exactTime = new Intl.DateTimeFormat(locale, { ...toTheMinute, second: '2-digit' });
  const unit = (name: string, fractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, maximumFractionDigits: fractionDigits });
  const bytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const sizes = [bytes, unit('kilobyte', 0), unit('megabyte', 1), unit('gigabyte', 1)];
  const [seconds, minutes, hours] = [unit('second', 0), unit('minute', 0), unit('hour', 1)] as const;
  return {
    locale,
    number: (value: number) => number.format(value),
    counted: (value: number, noun: string) => counted(value, noun, (each) => number.format(each)),
    /** Such as 2.5K. */
    short: (value: number) => short.format(value),
    /** With a sign, for changes of a balance. */
    change: (value: number) => change.format(value).replace('-', '\u2212'),
    date: (time: number) => date.format(time),
    /** Such as November 2026. */
    month: (time: number) => month.format(time),
    dateTime: (time: number) => dateTime.format(time),
    /** With seconds, for logs. */
    exactTime: (time: number) => exactTime.format(time),
    bytes: (value: number) => {
      const power = value < 1_000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(value) / 3));
      return (sizes[power] as Intl.NumberFormat).format(value / 1_000 ** power);
    },
    duration: (value: number) => {
      if (value < 60) {
        return seconds.format(Math.max(1, Math.round(value)));
      }
      return value < 3_600 ? minutes.format(Math.round(value / 60)) : hours.format(value / 3_600);
    },
  };
}

/** In the language that the browser asks for. */
export function pageFormats(ctx: Context): Formats {
  return formatsFor(ctx.get('Accept-Language'));
}

/** Letters that a message names in place of the data that has them. */
const LETTERS_SHOWN = 3;

function misread(data: string): string {
  const letters = [...new Set(data.match(/(?!\p{ASCII})\p{L}/gu))].slice(0, LETTERS_SHOWN);
  return letters.length === 0
    ? 'text that some scanners misread.'
    : `letters that some scanners misread, such as ${letters.join(', ')}.`;
}

/** A message of the API with the words of the form. */
export function forPeople(message: string): string {
  return message
    .replace(/text that some scanners misread, the first of them "(.*)"\./, (_, data: string) => misread(data))
    .replace(/^(1 .* that is probably not meant)\. In the first, /, '$1: ')
    .replaceAll('ecLevel', 'error correction')
    .replaceAll('fontSize', 'caption size')
    .replaceAll('The foreground is lighter than the background', 'The code is lighter than its background')
    .replaceAll(
      'Set eci to true: then the codes say that they are UTF-8.',
      'Phones read them: choose “Mark the text as UTF-8” only for older handheld scanners that show wrong letters.',
    )
    .replaceAll(/\bitem(s?)\b/g, 'code$1');
}
