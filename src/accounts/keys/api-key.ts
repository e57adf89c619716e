/** The format of an API key: `qrp_`, 32 random base62 characters (190 bits) and a checksum of 6 characters. */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { tokenHash } from '../secret-token.js';

const PREFIX = 'qrp_';
const RANDOM_CHARACTERS = 32;
/** 62^6 exceeds 2^32, so 6 characters hold any CRC-32. */
const CHECKSUM_CHARACTERS = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Characters of a key that are stored to recognise it by: the prefix `qrp_` and 24 bits. */
const RECOGNISED_CHARACTERS = PREFIX.length + 4;

export function newApiKey(): string {
  const unsigned = PREFIX + randomBase62(RANDOM_CHARACTERS);
  return unsigned + checksum(unsigned);
}

/** True for a well-formed key with a correct checksum. A typo or a foreign token is refused without a query. */
export function isApiKey(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** What is stored of a key. A fast hash is enough: 190 random bits cannot be guessed. */
export function storedFormOf(key: string): { prefix: string; hash: string } {
  return { prefix: key.slice(0, RECOGNISED_CHARACTERS), hash: tokenHash(key) };
}

/** CRC-32 of the key without its checksum, in base62, most significant digit first. */
function checksum(unsigned: string): string {
  let digits = '';
  for (let rest = crc32(unsigned); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / BASE62.length)) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
  }
  return digits;
}

function randomBase62(length: number): string {
  // Higher bytes would make the first characters of the alphabet more likely.
  const limit = 256 - (256 % BASE62.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      text += byte < limit ? BASE62.charAt(byte % BASE62.length) : '';
    }
  }
  return text;
}
