/** Random row ids: 130 bits in 26 characters that are safe in URLs, file names and shells. */

import { randomBytes } from 'node:crypto';

/** Lower case only, so that ids stay distinct on file systems that ignore case. Omits the look-alikes i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const LENGTH = 26;

export function newRowId(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('');
}

/** True for a string of the form of a row id. A cheap check before a query or a path is built from it. */
export function isRowId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
