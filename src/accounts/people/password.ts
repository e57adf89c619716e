/** Password hashing with Argon2id. Checking takes the same time whether or not there is an account. */

import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { LIMITS } from '../../contract/limits.js';

/** Of 0 to 4. At this score an attacker needs 10^8 guesses or more, which the throttle prevents. */
const MIN_SCORE = 3;

/** The estimate's time grows with the square of the length, so only this many characters are estimated. */
const ESTIMATED_CHARACTERS = 64;

/** OWASP's first recommendation for Argon2id, which is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Compared with when there is no account. */
const DUMMY_HASH = hashPassword('nobody has this password');

/** In PHC format, which includes the parameters and the salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** True for the right password. @param passwordHash null or undefined takes as long and gives false */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await DUMMY_HASH), password.normalize('NFC'));
  return right && typeof passwordHash === 'string';
}

/**
 * The reason to refuse a password; undefined when it is acceptable. @param mustDiffer texts that an attacker would try
 * first
 */
export function passwordProblem(password: string, ...mustDiffer: string[]): string | undefined {
  const characters = [...password].length;
  if (characters < LIMITS.passwordCharacters.minimum) {
    return `Use at least ${LIMITS.passwordCharacters.minimum} characters.`;
  }
  if (characters > LIMITS.passwordCharacters.maximum) {
    return `Use at most ${LIMITS.passwordCharacters.maximum} characters.`;
  }
  const { score } = strengthEstimator().check(password.slice(0, ESTIMATED_CHARACTERS), [
    ...OWN_WORDS,
    ...mustDiffer.flatMap(wordsOf),
  ]);
  return score < MIN_SCORE
    ? 'This password is easy to guess. Use several words that have nothing to do with each other, or let your browser suggest one.'
    : undefined;
}

/** A text, and its words: a password may be made of the parts of a name or an address. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => [...word].length >= 3);
}

let estimator: ZxcvbnFactory | undefined;

/** Words of the service itself, which an attacker would try first. */
const OWN_WORDS = ['qrpress', 'qr code', 'qr-code', 'qrcode'];

/** The strength estimator, with its lists of common passwords and keyboards. Created on first use. */
function strengthEstimator(): ZxcvbnFactory {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return estimator;
}
