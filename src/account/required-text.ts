/** Text that a person typed, as it is stored: trimmed, not empty, not longer than its column. */

import { ApiError, type Issue } from '../contract/errors.js';
import { emailAddress } from './email-address.js';

/** @param path JSON Pointer of the text, for the issue. @throws ApiError `invalid_input`. */
export function requireText(text: string, path: string, maxCharacters: number): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < 1 || characters > maxCharacters) {
    const message = `Expected 1 to ${maxCharacters} characters, found ${characters}.`;
    throw invalid({ path, code: characters < 1 ? 'too_short' : 'too_long', message });
  }
  return trimmed;
}

/** As `requireText`, for an address; in lower case. @throws ApiError `invalid_input`. */
export function requireEmail(text: string, path: string): string {
  const address = emailAddress(text);
  if (address === undefined) {
    throw invalid({ path, code: 'invalid_value', message: 'Expected an email address.' });
  }
  return address;
}

function invalid(issue: Issue): ApiError {
  return new ApiError('invalid_input', issue.message, { issues: [issue], issueCount: 1 });
}
