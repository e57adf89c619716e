/** Random row ids: 130 bits in 26 characters that are safe in URLs, file names and shells. */

import { RandomPool } from '../platform/random-pool.js';

/** Lower case only, so that ids stay distinct on file systems that ignore case. Omits the look-alikes i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const LENGTH = 26;

const random = new RandomPool(LENGTH);

export function newRowId(): string {
  let id = '';
  for (const byte of random.next()) {
    id += ALPHABET[byte & 31];
  }
  return id;
}

/** True for a string of the form of a row id. A cheap check before a query or a path is built from it. */
export function isRowId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
