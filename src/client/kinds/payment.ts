/** A SEPA credit transfer (EPC069-12, version 002): what bank apps read as *Girocode*. */

import type { KindValues } from '../../contract/kinds.js';
import { bytesOf, KindError, Values } from './values.js';

/** Bytes of a code. */
const MOST_BYTES = 331;

/** Countries of SEPA with the length of their IBANs. Those of other countries are held by their check digits alone. */
const IBAN_LENGTHS =
  'AD24AL28AT20BE16BG22CH21CY28CZ24DE22DK18EE20ES24FI18FR27GB22GI23GR27HR21HU28IE22IS26IT27LI21LT20LU20LV21MC27MD24ME22MK19MT31NL18NO15PL28PT25RO24RS22SE24SI19SK24SM27VA22';

/** @throws KindError */
export function paymentData(given: KindValues<'payment'>): string {
  const values = new Values('payment', given);
  const name = values.limited('name', 70);
  const iban = ibanOf(values.line('iban'));
  const bic = upper(values.line('bic'));
  // ISO 9362.
  if (bic !== '' && !/^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic)) {
    throw new KindError('bic', 'a BIC has 8 or 11 letters and digits, such as COBADEFFXXX.');
  }
  const amount = amountOf(values.line('amount'));
  const reference = referenceOf(values.limited('reference', 35));
  const text = values.limited('text', 140);
  if (reference !== '' && text !== '') {
    throw new KindError('text', 'a payment has a reference or a text, and not both.');
  }
  const code = ['BCD', '002', '1', 'SCT', bic, name, iban, amount, '', reference, text].join('\n').replace(/\n+$/, '');
  const bytes = bytesOf(code).length;
  if (bytes > MOST_BYTES) {
    throw new KindError('name', `the payment has ${bytes} bytes; at most ${MOST_BYTES} are allowed.`);
  }
  return code;
}

/** A reference of the creditor (ISO 11649) has no spaces but on paper; one of another kind stays as it is. */
function referenceOf(written: string): string {
  const reference = written.replaceAll(/[ \u{a0}]/gu, '');
  if (!/^RF\d\d/.test(reference)) return written;
  if (!hasCheckDigits(reference)) {
    throw new KindError('reference', 'the check digits of this creditor reference (RF…) are wrong.');
  }
  return reference;
}

function ibanOf(written: string): string {
  const iban = upper(written.replaceAll(/[ \u{a0}]/gu, ''));
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) {
    const message = 'an IBAN has the letters of a country, two check digits, and up to 30 letters and digits.';
    throw new KindError('iban', message);
  }
  const country = iban.slice(0, 2);
  const [, length] = new RegExp(String.raw`^(?:....)*${country}(\d\d)`).exec(IBAN_LENGTHS) ?? [];
  if (length !== undefined && iban.length !== Number(length)) {
    throw new KindError('iban', `an IBAN of ${country} has ${length} characters; this one has ${iban.length}.`);
  }
  if (!hasCheckDigits(iban)) throw new KindError('iban', 'the check digits of the IBAN are wrong.');
  return iban;
}

/** ISO 7064, MOD 97-10, with the first four characters behind the others. */
function hasCheckDigits(text: string): boolean {
  if (!/^[A-Z\d]{5,}$/.test(text)) return false;
  const characters = [...text.slice(4), ...text.slice(0, 4)];
  const remainder = characters.reduce((sum, character) => {
    const value = Number.parseInt(character, 36);
    return (sum * (value < 10 ? 10 : 100) + value) % 97;
  }, 0);
  return remainder === 1;
}

/** `EUR12.30`, from `12.3`, `12,30` or `12`. Empty where there is none: then the payer fills it in. */
function amountOf(text: string): string {
  if (text === '') return '';
  const [, whole, fraction = ''] = /^0*(\d+)(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    throw new KindError('amount', 'write the amount in euros, such as 12.30, without other characters.');
  }
  const amount = `${whole}.${fraction.padEnd(2, '0')}`;
  if (whole.length > 9 || amount === '0.00') {
    throw new KindError('amount', 'the amount is between 0.01 and 999999999.99.');
  }
  return `EUR${amount}`;
}

/** ASCII letters in upper case. */
function upper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
