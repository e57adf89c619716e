/** Password hashing with Argon2id. Checking takes the same time whether or not there is an account. */

import { createRequire } from 'node:module';
import { hash, verify } from '@node-rs/argon2';
import type * as Zxcvbn from '@zxcvbn-ts/core';
import type * as Common from '@zxcvbn-ts/language-common';
import { LIMITS } from '../../contract/limits.js';

/**
 * Logarithm of the guesses that an attacker needs at least, to base 10. The estimator counts any three parts as 10^8, such as a
 * word, a year and two marks; ten random characters are 10^10.
 */
const MIN_GUESSES_LOG10 = 9.5;

/** The estimate's time grows with the square of the length, so only this many characters are estimated. */
const ESTIMATED_CHARACTERS = 64;

/** OWASP's first recommendation for Argon2id, which is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Compared with when there is no account. Made on first use: most processes check no password. */
let dummyHash: Promise<string> | undefined;

/** In PHC format, which includes the parameters and the salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** True for the right password. @param passwordHash null or undefined takes as long and gives false */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  // Awaited also where there is an account: otherwise the first check would take longer without one.
  const dummy = await (dummyHash ??= hashPassword('nobody has this password'));
  const right = await verify(passwordHash ?? dummy, password.normalize('NFC'));
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
  const ownWords = ['qrpress', 'qr code', 'qr-code', 'qrcode', String(new Date().getFullYear())];
  const { guessesLog10 } = strengthEstimator().check(password.slice(0, ESTIMATED_CHARACTERS), [
    ...ownWords,
    ...mustDiffer.flatMap(wordsOf),
  ]);
  return guessesLog10 < MIN_GUESSES_LOG10
    ? 'This password is easy to guess. Use several words that have nothing to do with each other, or let your browser suggest one.'
    : undefined;
}

/** A text, and its words: a password may be made of the parts of a name or an address. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => [...word].length >= 3);
}

const require = createRequire(import.meta.url);

/** Common words of languages, in modules of packages that would otherwise load all their names and articles. */
const WORD_LISTS = [
  ...['en', 'es-es', 'fr', 'pt-br'].map((language) => `@zxcvbn-ts/language-${language}/dist/commonWords.json.cjs`),
  ...['de', 'it', 'nl-be', 'pl'].map((language) => `@zxcvbn-ts/language-${language}/dist/commonWords.json.js`),
];

/** Words of each language, the commonest. The time of an estimate hardly grows with them, if they are one list. */
const WORDS_OF_A_LANGUAGE = 10_000;

let estimator: Zxcvbn.ZxcvbnFactory | undefined;

/** The strength estimator, with its lists of common passwords, words and keyboards. Loaded and created on first use, in 0.3 s. */
function strengthEstimator(): Zxcvbn.ZxcvbnFactory {
  if (estimator === undefined) {
    const { ZxcvbnFactory } = require('@zxcvbn-ts/core') as typeof Zxcvbn;
    const { adjacencyGraphs, dictionary } = require('@zxcvbn-ts/language-common') as typeof Common;
    const lists = WORD_LISTS.map((path) => require(path) as string[]);
    const words = Array.from({ length: WORDS_OF_A_LANGUAGE }, (_, rank) => lists.map((list) => list[rank] ?? ''));
    const all = { ...dictionary, words: [...new Set(words.flat())].filter(({ length }) => length >= 3) };
    estimator = new ZxcvbnFactory({ dictionary: all, graphs: adjacencyGraphs });
  }
  return estimator;
}
