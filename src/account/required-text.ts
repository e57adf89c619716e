/** Text that a person typed, as it is stored: trimmed, not empty, not longer than its column; addresses in one spelling. */

import { ApiError, type Issue } from '../contract/errors.js';

/** @param path JSON Pointer of the text, for the issue. @throws ApiError `invalid_input`. */
export function requireText(text: string, path: string, maxCharacters: number): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < 1 || characters > maxCharacters) {
    const message = `Use 1 to ${maxCharacters} characters; this has ${characters}.`;
    throw invalid({ path, code: characters < 1 ? 'too_short' : 'too_long', message });
  }
  return trimmed;
}

/** As `requireText`, for an address; in lower case. @throws ApiError `invalid_input`. */
export function requireEmail(text: string, path: string): string {
  const address = emailAddress(text);
  if (address === undefined) {
    throw invalid({ path, code: 'invalid_value', message: 'This is not an email address.' });
  }
  return address;
}

function invalid(issue: Issue): ApiError {
  return new ApiError('invalid_input', issue.message, { issues: [issue], issueCount: 1 });
}

/** RFC 5321 lets paths have 256 characters, brackets included. */
const LONGEST = 254;

/** No quoted local parts, comments or address literals, which nobody uses to sign in. */
const FORM = /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@<>()[\],;:\\"]+$/u;

/** The address in lower case; undefined when it is none. */
export function emailAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return address.length <= LONGEST && FORM.test(address) && !/\p{C}/u.test(address) ? address : undefined;
}
