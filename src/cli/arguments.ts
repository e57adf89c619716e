/** Parts of the command line that several commands share. */

import { CommanderError, InvalidArgumentError } from 'commander';
import { requireEmail, requireText } from '../accounts/required-text.js';
import { ApiError } from '../contract/errors.js';
import { parseDateTime } from '../platform/date-time.js';

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

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError('expected a whole number');
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

/** A time to come, in Unix milliseconds. */
export function futureTime(text: string): number {
  const time = parseDateTime(text);
  if (time === undefined) throw new InvalidArgumentError('expected a time of RFC 3339, such as 2027-01-31T12:00:00Z');
  if (time <= Date.now()) throw new InvalidArgumentError('expected a time to come; this one is over');
  return time;
}

/** Ends the command: its options contradict each other. */
export function refuse(what: string): never {
  const message = `error: ${what}`;
  console.error(message);
  throw new CommanderError(EXIT.usage, 'qrpress.arguments', message);
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
