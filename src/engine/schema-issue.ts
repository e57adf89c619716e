/** A TypeBox error in the words of our issues. */

import type { TLocalizedValidationError } from 'typebox/error';
import type { Issue } from '../contract/errors.js';
import { PATTERN } from '../contract/request-schema.js';
import { pointer, valueAt } from './json-pointer.js';

/** Characters of a found string that a message quotes. */
const QUOTED_CHARACTERS = 40;

/** What a string that misses a pattern is told. */
const PATTERN_RULES: Readonly<Record<string, { code: string; expected: string }>> = {
  [PATTERN.hexColour]: { code: 'invalid_value', expected: 'a colour of the form #rrggbb' },
  [PATTERN.hexColourOrTransparent]: {
    code: 'invalid_value',
    expected: 'a colour of the form #rrggbb, or transparent',
  },
  [PATTERN.pngDataUrl]: { code: 'invalid_logo', expected: 'a data URL of a PNG in base64' },
};

/** The issue that says `error`, which TypeBox found in `root`. */
export function issueOf(error: TLocalizedValidationError, root: unknown): Issue {
  const path = error.instancePath;
  const value = valueAt(root, path);
  const issue = (code: string, expected: string, found = describe(value)): Issue => ({
    path,
    code,
    message: `Expected ${expected}, found ${found}`,
  });
  switch (error.keyword) {
    case 'required': {
      // TypeBox points to the parent; a missing member is reported at its own pointer.
      const name = error.params.requiredProperties[0] ?? '';
      return { path: pointer(path, name), code: 'required', message: 'Expected a value, found none' };
    }
    case 'type':
      return issue('wrong_type', `the type ${[error.params.type].flat().join(' or ')}`);
    case 'enum':
      return issue('invalid_value', `one of ${error.params.allowedValues.join(', ')}`);
    case 'minimum':
      return issue('too_small', `at least ${error.params.limit}`);
    case 'maximum':
      return issue('too_large', `at most ${error.params.limit}`);
    case 'minLength':
      return issue('too_short', `at least ${error.params.limit} characters`, `${codePoints(String(value))}`);
    case 'maxLength':
      return issue('too_long', `at most ${error.params.limit} characters`, `${codePoints(String(value))}`);
    case 'not':
      // The one rule of its kind: a style's two colours.
      return {
        path: pointer(path, 'background'),
        code: 'conflict',
        message: 'Expected a colour where the foreground is transparent, found transparent as well',
      };
    case 'pattern': {
      const rule = PATTERN_RULES[String(error.params.pattern)];
      if (rule !== undefined) {
        return issue(rule.code, rule.expected);
      }
    }
  }
  throw new Error(`No issue code for the schema's ${error.keyword} at ${error.schemaPath}`);
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > QUOTED_CHARACTERS
        ? `${JSON.stringify(value.slice(0, QUOTED_CHARACTERS))}…`
        : JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
    default:
      return String(value);
  }
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
  }
  return count;
}
