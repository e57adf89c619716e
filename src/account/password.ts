/** Passwords: Argon2id, and the same work whether or not there is an account. */

import { hash, verify } from '@node-rs/argon2';

/** Characters; the upper bound only keeps a hash from being made of a book. */
const PASSWORD_CHARACTERS = { minimum: 10, maximum: 200 } as const;

/** OWASP's first recommendation for Argon2id, which is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** What a password is compared with where there is no account. */
const NOBODYS = hashPassword('nobody has this password');

/** In PHC form: the parameters and the salt are part of it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** Whether the password is the right one. @param passwordHash undefined takes as long, and is false */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await NOBODYS), password.normalize('NFC'));
  return right && passwordHash !== undefined;
}

/** Why a password is not taken; undefined when it is. @param mustDiffer what anybody would try first */
export function passwordProblem(password: string, ...mustDiffer: string[]): string | undefined {
  const characters = [...password].length;
  if (characters < PASSWORD_CHARACTERS.minimum || characters > PASSWORD_CHARACTERS.maximum) {
    return `Use at least ${PASSWORD_CHARACTERS.minimum} characters.`;
  }
  if (new Set(password).size < 4) {
    return 'Use more than a few different characters.';
  }
  const plain = password.toLowerCase();
  return mustDiffer.some((word) => word !== '' && plain === word.toLowerCase())
    ? 'Use something other than your name, address or organisation.'
    : undefined;
}
