/** Normalises text that a person typed: trimmed, not empty, not longer than its column, without control characters; addresses in lower case. */

import { invalidInput } from '../contract/errors.js';

/** @param path JSON Pointer of the text, for the issue. @throws ApiError `invalid_input` */
export function requireText(text: string, path: string, maxCharacters: number): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < 1 || characters > maxCharacters) {
    const message = `Use 1 to ${maxCharacters} characters; this has ${characters}.`;
    throw invalidInput({ path, code: characters < 1 ? 'too_short' : 'too_long', message });
  }
  if (/\p{Cc}/u.test(trimmed)) {
    throw invalidInput({ path, code: 'invalid_value', message: 'Use a text without control characters.' });
  }
  return trimmed;
}

/** Does what `requireText` does, for an email address. Returns it in lower case. @throws ApiError `invalid_input` */
export function requireEmail(text: string, path: string): string {
  const address = emailAddress(text);
  if (address === undefined) {
    throw invalidInput({ path, code: 'invalid_value', message: 'This is not an email address.' });
  }
  return address;
}

/** RFC 5321 limits a path to 256 characters, including its brackets. */
const MAX_CHARACTERS = 254;

/** Without quoted local parts, comments and address literals: nobody signs in with those. */
const FORM = /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@<>()[\],;:\\"]+$/u;

/** The address in lower case. Undefined when the text is not an address. */
export function emailAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return address.length <= MAX_CHARACTERS && FORM.test(address) && !/\p{C}/u.test(address) ? address : undefined;
}
