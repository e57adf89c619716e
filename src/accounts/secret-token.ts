/** The secret of a link or cookie. Given out once; only its hash is stored. */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256, hex. A fast hash is enough for a secret that cannot be guessed. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Compares two texts in constant time, for equal lengths. */
export function isEqualSecret(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}
