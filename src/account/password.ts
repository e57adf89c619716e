/** Passwords: Argon2id, and the same work whether or not there is an account. */

import { hash, verify } from '@node-rs/argon2';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { LIMITS } from '../contract/limits.js';

/** Of 0 to 4: 10^8 guesses and more, which the throttle does not let anybody make. */
const LOWEST_SCORE = 3;

/** The estimate's time grows with the square of its length. */
const ESTIMATED_CHARACTERS = 64;

/** OWASP's first recommendation for Argon2id, which is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash that a password is compared with where there is no account. */
const NOBODYS = hashPassword('nobody has this password');

/** In PHC form: the parameters and the salt are part of it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** True for the right password. @param passwordHash nobody's takes as long, and is false */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await NOBODYS), password.normalize('NFC'));
  return right && typeof passwordHash === 'string';
}

/** Why a password is not taken; undefined when it is. @param mustDiffer what anybody would try first */
export function passwordProblem(password: string, ...mustDiffer: string[]): string | undefined {
  const characters = [...password].length;
  if (characters < LIMITS.passwordCharacters.minimum) {
    return `Use at least ${LIMITS.passwordCharacters.minimum} characters.`;
  }
  if (characters > LIMITS.passwordCharacters.maximum) {
    return `Use at most ${LIMITS.passwordCharacters.maximum} characters.`;
  }
  const { score } = guesses().check(password.slice(0, ESTIMATED_CHARACTERS), mustDiffer);
  return score < LOWEST_SCORE
    ? 'This password is easy to guess. Use several words that have nothing to do with each other, or let your browser suggest one.'
    : undefined;
}

let estimator: ZxcvbnFactory | undefined;

/** The estimator, with lists of common passwords and keyboards: made when it is first needed. */
function guesses(): ZxcvbnFactory {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return estimator;
}
