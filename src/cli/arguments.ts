/** Parts of the command line that several commands share. */

import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { requireEmail, requireText } from '../accounts/required-text.js';
import { ApiError } from '../contract/errors.js';
import { parseDateTime } from '../contract/date-time.js';
import { explain } from './explain.js';

/** Exit codes. 1: the operation failed. 2: the arguments are wrong. */
export const EXIT = { failed: 1, usage: 2 } as const;

/** Prints a command's result, as JSON or as text. Not by `console`, which drops errors. */
export function print(
  json: boolean | undefined,
  document: unknown,
  text: string,
  stream: NodeJS.WritableStream = process.stdout,
): void {
  stream.write(`${json ? JSON.stringify(document) : text}\n`);
}

/** The highest number of an argument: thousands of grants of so many credits add up exactly. */
const HIGHEST = 999_999_999_999;

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number');
  if (value > HIGHEST) throw new InvalidArgumentError(`expected at most ${HIGHEST}`);
  return value;
}

export function positiveNumber(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('expected a whole number above 0');
  return value;
}

export function httpUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new InvalidArgumentError('expected a URL that begins with http:// or https://');
  }
  return text;
}

/** The address of a service, without a path: the paths are those of the API. */
export function serviceUrl(text: string): string {
  const { pathname, search, hash, username, password } = new URL(httpUrl(text));
  if (pathname !== '/' || `${search}${hash}${username}${password}` !== '') {
    const example = 'https://qr.example.com';
    throw new InvalidArgumentError(`expected the address alone, without a path, a query or a user, such as ${example}`);
  }
  return text;
}

/** A time to come, in Unix milliseconds. */
export function futureTime(text: string): number {
  const time = parseDateTime(text);
  if (time === undefined) throw new InvalidArgumentError('expected a time of RFC 3339, such as 2027-01-31T12:00:00Z');
  if (time <= Date.now()) throw new InvalidArgumentError('expected a time to come; this one is over');
  return time;
}

export function jsonFile(path: string): unknown {
  try {
    return jsonValue(readFileSync(path));
  } catch (error) {
    throw new InvalidArgumentError(explain(error));
  }
}

/**
 * The value of a JSON text, which may begin with a byte order mark. @throws Error also for bytes that are not UTF-8, and for a
 * member that an object has twice, of which the value would have one
 */
export function jsonValue(bytes: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const value: unknown = JSON.parse(text);
  if (membersOf(JSON.stringify(value)) !== membersOf(text)) {
    throw new Error('an object has a member more than once');
  }
  return value;
}

/** The number of members of all objects: each has a colon, and other colons stand in strings. */
function membersOf(json: string): number {
  return json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1;
}

/** Arguments that are wrong together, or wrong for their file. `program.ts` prints the sentence and the usage of the command. */
export class UsageError extends Error {}

/** Ends the command. @throws UsageError */
export function refuse(what: string): never {
  throw new UsageError(what);
}

/** The address in lower case, as accounts keep it. */
export const emailAddress = (text: string): string => required(() => requireEmail(text, ''));

/** A name or a reason. */
export const shortText = (text: string): string => required(() => requireText(text, '', 200));

/** The result of `check`, whose refusal is that of a wrong argument. */
function required(check: () => string): string {
  try {
    return check();
  } catch (error) {
    throw error instanceof ApiError ? new InvalidArgumentError(error.message) : error;
  }
}
