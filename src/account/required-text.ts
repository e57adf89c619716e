/** Text that a person typed, as it is stored: trimmed, not empty, not longer than its column. */

import { ApiError } from '../errors.js';

/** @param path JSON Pointer of the text, for the issue. @throws ApiError `invalid_input`. */
export function requireText(text: string, path: string, maxCharacters: number): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < 1 || characters > maxCharacters) {
    const message = `Expected 1 to ${maxCharacters} characters, found ${characters}.`;
    const issue = { path, code: characters < 1 ? 'too_short' : 'too_long', message };
    throw new ApiError('invalid_input', message, { issues: [issue], issueCount: 1 });
  }
  return trimmed;
}
