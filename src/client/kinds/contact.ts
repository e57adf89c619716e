/** A contact as vCard 3.0 (RFC 2426), which more phones read, or 4.0 (RFC 6350). */

import type { KindValues } from '../../contract/kinds.js';
import { isAddress } from './uris.js';
import { encoded, KindError, Values } from './values.js';

/** @throws KindError */
export function contactData(values: KindValues<'contact'>): string {
  return vcard(values, ({ name }) => ['VERSION:3.0', `N:${name};;;;`]);
}

/** @throws KindError */
export function contactV4Data(values: KindValues<'contact-v4'>): string {
  return vcard(values, () => ['VERSION:4.0']);
}

function vcard(given: KindValues<'contact'>, head: (parts: { name: string }) => string[]): string {
  const values = new Values('contact', given);
  const name = escaped(values.trimmed('name'));
  const [phone, mobile] = [values.line('phone'), values.line('mobile')];
  const email = values.line('email');
  if (email !== '' && !isAddress(email)) {
    throw new KindError('email', 'this is no address, such as name@example.org.');
  }
  const url = uri(values.line('url'));
  const parts = (['street', 'city', 'region', 'postcode', 'country'] as const).map((field) => values.trimmed(field));
  const address = parts.some((part) => part !== '') ? `;;${parts.map(escaped).join(';')}` : '';
  return lines([
    'BEGIN:VCARD',
    ...head({ name }),
    `FN:${name}`,
    ...textLine('ORG', values.trimmed('organisation')),
    ...textLine('TITLE', values.trimmed('title')),
    ...textLine('TEL;TYPE=voice', phone),
    ...textLine('TEL;TYPE=cell', mobile),
    ...textLine('EMAIL', email),
    ...(url === '' ? [] : [`URL:${url}`]),
    ...(address === '' ? [] : [`ADR:${address}`]),
    ...textLine('NOTE', values.trimmed('note')),
    'END:VCARD',
  ]);
}

function uri(text: string): string {
  if (text === '') return '';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    throw new KindError('url', 'a link begins with its scheme, such as https://.');
  }
  if (/[ "<>\\^`{|}]/.test(text)) {
    throw new KindError('url', 'a link has no spaces, quotes, backslashes or brackets of other kinds.');
  }
  return text.replaceAll(/%(?![\dA-Fa-f]{2})|[^\w%:/?#[\]@!$&'()*+,;=.~-]/gu, (sign) => encoded(sign));
}

/** Lines of a vCard or an iCalendar object, with the line end that both documents ask for. */
export function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\r\n`).join('');
}

/** The line of a text, unless it is empty. */
export function textLine(name: string, value: string): string[] {
  return value === '' ? [] : [`${name}:${escaped(value)}`];
}

/** RFC 5545, section 3.3.11, and RFC 6350, section 3.4. */
function escaped(value: string): string {
  return value.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`);
}
