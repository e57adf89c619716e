/** Mails (RFC 6068), telephone numbers (RFC 3966), text messages, and places (RFC 5870). */

import type { KindValues } from '../../contract/kinds.js';
import { encoded, KindError, Values } from './values.js';

/** A link or any text, as it stands. @throws KindError */
export function textData(values: KindValues<'text'>): string {
  return new Values('text', values).text('text');
}

/** @throws KindError */
export function emailData(given: KindValues<'email'>): string {
  const values = new Values('email', given);
  const to = values
    .line('to')
    .split(',')
    .map((part) => {
      const address = part.replaceAll(/^[ \u{a0}]+|[ \u{a0}]+$/gu, '');
      if (!isAddress(address)) throw new KindError('to', 'this is no address, such as name@example.org.');
      return encoded(address).replaceAll('%40', '@').replaceAll('%2B', '+');
    });
  const fields = [
    ['subject', values.line('subject')],
    ['body', values.text('body').replaceAll(/\r\n|\r|\n/g, '\r\n')],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`${name}=${encoded(value)}`]));
  return `mailto:${to.join(',')}${fields.length === 0 ? '' : `?${fields.join('&')}`}`;
}

/** `SMSTO:`, or `sms:` (RFC 5724) without a text. @throws KindError */
export function smsData(given: KindValues<'sms'>): string {
  const values = new Values('sms', given);
  const number = numberOf(values);
  const text = values.trimmed('text');
  return text === '' ? `sms:${number}` : `SMSTO:${number}:${text}`;
}

/** @throws KindError */
export function phoneData(given: KindValues<'phone'>): string {
  return `tel:${numberOf(new Values('phone', given))}`;
}

/** Degrees of WGS 84. @throws KindError */
export function geoData(given: KindValues<'geo'>): string {
  const values = new Values('geo', given);
  return `geo:${degrees(values, 'latitude', 90)},${degrees(values, 'longitude', 180)}`;
}

/** Dot-atoms (RFC 5322, section 3.4.1) on both sides, or characters outside ASCII (RFC 6532). */
const ADDRESS =
  /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*@[A-Za-z\d\u{80}-\u{10ffff}-]+(?:\.[A-Za-z\d\u{80}-\u{10ffff}-]+)*$/u;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

function numberOf(values: Values<'phone'> | Values<'sms'>): string {
  const text = values.line('number');
  if (text.startsWith('+') && text.includes('(0)')) {
    throw new KindError('number', "leave out the (0), which nobody dials after the country's code.");
  }
  if (!/^\+?[\d ./()\u{a0}-]*$/u.test(text)) {
    throw new KindError('number', 'a number has digits, spaces, points, hyphens and parentheses alone.');
  }
  const number = text.replaceAll(/[^+\d]/g, '');
  // E.164, or a number that has no country's code, such as 112 or 80800.
  if (!/^(?:\+[1-9]\d{3,14}|\d{2,6})$/.test(number)) {
    throw new KindError('number', "a number begins with + and the country's code, such as +49 30 123456.");
  }
  return number;
}

function degrees(values: Values<'geo'>, field: 'latitude' | 'longitude', most: number): string {
  const text = values.trimmed(field);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) {
    throw new KindError(field, 'write degrees with a decimal point, such as 52.5163 or -0.1276.');
  }
  if (Math.abs(Number(text)) > most) {
    throw new KindError(field, `the ${field} is between -${most} and ${most} degrees.`);
  }
  return text;
}
