/**
 * A GS1 Digital Link (GS1 Digital Link URI Syntax 1.6): the GTIN as key, lot and serial number as its qualifiers in their order, the
 * expiry date as an attribute.
 */

import type { KindValues } from '../../contract/kinds.js';
import { dateDigits, parseMoment } from './time.js';
import { encoded, KindError, Values } from './values.js';

/** The resolver of GS1. */
const DOMAIN = 'https://id.gs1.org';

/** Digits of a GTIN in a Digital Link. */
const GTIN_DIGITS = 14;

/** Character set 82 (GS1 General Specifications, figure 7.11-1). */
const QUALIFIER = /^[\w!"%&'()*+,\-./:;<=>?]{1,20}$/;

/** The GTIN has 8, 12, 13 or 14 digits. @throws KindError */
export function digitalLinkData(given: KindValues<'digital-link'>): string {
  const values = new Values('digital-link', given);
  const link = `${domainOf(values.line('domain'))}/01/${gtinOf(values.trimmed('gtin'))}`;
  const qualifiers = (
    [
      ['lot', '10'],
      ['serial', '21'],
    ] as const
  ).map(([field, key]) => {
    const value = values.trimmed(field);
    if (value !== '' && !QUALIFIER.test(value)) {
      throw new KindError(field, `the ${field} has at most 20 letters, digits and signs of GS1.`);
    }
    // Readers of URLs take these parts of a path away, however they are encoded.
    if (value === '.' || value === '..') {
      throw new KindError(field, `the ${field} ${value} would be lost in a link.`);
    }
    return value === '' ? '' : `/${key}/${encoded(value)}`;
  });
  const expiry = values.trimmed('expiry');
  return `${link}${qualifiers.join('')}${expiry === '' ? '' : `?17=${expiryOf(expiry)}`}`;
}

/** GS1 General Specifications, section 7.9: weights 3 and 1 from the right. */
function checkDigit(digits: string): string {
  const sum = [...digits]
    .toReversed()
    .reduce((before, digit, place) => before + Number(digit) * (place % 2 ? 1 : 3), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Seven digits are those of a GTIN-8 of which a spreadsheet program left out a zero. */
function gtinOf(text: string): string {
  if (!/^\d{7,14}$/.test(text)) throw new KindError('gtin', 'a GTIN has 8, 12, 13 or 14 digits.');
  const gtin = text.padStart(GTIN_DIGITS, '0');
  const right = checkDigit(gtin.slice(0, -1));
  if (!gtin.endsWith(right)) {
    throw new KindError('gtin', `the check digit of ${text} is wrong; ${right} would be right.`);
  }
  return gtin;
}

/** `YYMMDD`, from itself or from `2026-01-31`. Day 00 is the last of the month. */
function expiryOf(text: string): string {
  const moment = /^20.{8}$/.test(text) ? parseMoment(text) : undefined;
  const date = moment === undefined ? text : dateDigits(moment.ms).slice(2);
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(date) ?? [];
  if (parseMoment(`20${year}-${month}-${day === '00' ? '01' : day}`) === undefined) {
    throw new KindError('expiry', 'write the date as 2026-01-31 or 260131.');
  }
  return date;
}

function domainOf(written: string): string {
  const text = written.replace(/\/+$/, '');
  if (text === '') return DOMAIN;
  const address = text.replace(/^https?:\/\//, '');
  if (!/^[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?(?:\/[\w/.~%-]*)?$/i.test(address)) {
    throw new KindError('domain', 'write a domain such as id.example.org, or its address with https://.');
  }
  return address === text ? `https://${text}` : text;
}
