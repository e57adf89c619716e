/** Issues of a body: translates TypeBox's errors, limits the list, and builds JSON Pointers (RFC 6901). */

import type { TLocalizedValidationError } from 'typebox/error';
import type { Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { PATTERN } from '../contract/request-schema.js';

/** Maximum number of characters of a string that a message quotes. */
const MAX_QUOTED_CHARACTERS = 40;

/** The issues of strings that do not match a pattern. */
const PATTERN_RULES: Readonly<Record<string, { code: string; rule: string }>> = {
  [PATTERN.hexColour]: { code: 'invalid_value', rule: 'be a colour of the form #rrggbb' },
  [PATTERN.hexColourOrTransparent]: {
    code: 'invalid_value',
    rule: 'be transparent or a colour of the form #rrggbb',
  },
  [PATTERN.pngDataUrl]: { code: 'invalid_logo', rule: 'be a PNG file as a data URL, data:image/png;base64,…' },
};

/** Translates `error`, which TypeBox found in `root`, into an issue. */
export function issueOf(error: TLocalizedValidationError, root: unknown): Issue {
  const path = error.instancePath;
  const value = valueAt(root, path);
  const issue = (code: string, rule: string, found = describe(value)): Issue => ({
    path,
    code,
    message: `must ${rule}, not ${found}`,
  });
  switch (error.keyword) {
    case 'required': {
      // TypeBox points to the parent. The issue points to the missing member.
      const name = error.params.requiredProperties[0] ?? '';
      return { path: pointer(path, name), code: 'required', message: 'is required' };
    }
    case 'type':
      return issue('wrong_type', `be ${[error.params.type].flat().map(withArticle).join(' or ')}`);
    case 'enum':
      return issue('invalid_value', `be one of ${error.params.allowedValues.join(', ')}`);
    case 'minimum':
      return issue('too_small', `be at least ${error.params.limit}`);
    case 'maximum':
      return issue('too_large', `be at most ${error.params.limit}`);
    case 'minLength':
      return issue('too_short', `have at least ${error.params.limit} characters`, `${codePoints(String(value))}`);
    case 'maxLength':
      return issue('too_long', `have at most ${error.params.limit} characters`, `${codePoints(String(value))}`);
    case 'not':
      // The only `not` in the schemas: a style's two colours.
      return {
        path: pointer(path, 'background'),
        code: 'conflict',
        message: 'must be a colour, since the foreground is transparent',
      };
    case 'pattern': {
      const rule = PATTERN_RULES[String(error.params.pattern)];
      if (rule !== undefined) {
        return issue(rule.code, rule.rule);
      }
    }
  }
  throw new Error(`No issue code for the schema's ${error.keyword} at ${error.schemaPath}`);
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > MAX_QUOTED_CHARACTERS
        ? `${JSON.stringify(value.slice(0, MAX_QUOTED_CHARACTERS))}…`
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

/** Collects the first hundred issues and counts all. */
export class IssueList {
  readonly #issues: Issue[] = [];
  #count = 0;

  /** Number of all issues added. */
  get count(): number {
    return this.#count;
  }

  add(issue: Issue): void {
    this.#count += 1;
    if (this.#issues.length < LIMITS.issues) {
      this.#issues.push(issue);
    }
  }

  /** Members of an error body. */
  report(): { issues: Issue[]; issueCount: number } {
    return { issues: this.#issues, issueCount: this.#count };
  }
}

/** Pointer to the member `name` of the value at `parent`. */
export function pointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value at `path`. Undefined when there is none. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (parent, name) =>
        typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
          ? (parent as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
