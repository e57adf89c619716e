/**
 * Explains why a value does not follow a schema of the contract, once a compiled checker has refused it
 * (`src/contract/checkers.ts`): the code, place and message of each fault. TypeBox's own errors would need TypeBox in each
 * thread of the engine, and an object for each of millions of unknown members.
 */

import type { Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { PATTERN } from '../contract/request-schema.js';
import { counted } from '../platform/counted.js';
import type { Findings } from './engine.js';

/** The part of JSON Schema that the schemas of requests use. */
interface ValueSchema {
  /** Absent: see `anyOf`. */
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  /** Schemas of different types, one of which a value follows. */
  readonly anyOf?: readonly ValueSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  /** Values that an object must not have all at once. */
  readonly not?: { readonly properties: Readonly<Record<string, { readonly const: string }>> };
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** Maximum number of characters of a string that a message quotes. */
const MAX_QUOTED_CHARACTERS = 40;

/**
 * A pointer is shorter than this. A name may have as many characters as the body: a member whose pointer would be longer is
 * reported at its object, as in items (`crates/json/src/cursor.rs`).
 */
const MAX_POINTER_CHARACTERS = 1_024;

/** The issues of strings that do not match a pattern. */
const PATTERN_RULES: Readonly<Record<string, { code: string; rule: string }>> = {
  [PATTERN.hexColour]: { code: 'invalid_value', rule: 'be a colour of the form #rrggbb' },
  [PATTERN.hexColourOrTransparent]: {
    code: 'invalid_value',
    rule: 'be transparent or a colour of the form #rrggbb',
  },
  [PATTERN.pngDataUrl]: { code: 'invalid_logo', rule: 'be a PNG file as a data URL, data:image/png;base64,…' },
};

/**
 * The faults of `value`: at most one for a value that is no object. The first hundred are listed, and all are counted.
 * @param others members that are allowed besides the schema's, and were taken out of `value` before
 */
export function explainValue(value: unknown, schema: object, others: readonly string[] = []): Findings {
  const issues = new IssueList();
  explain(value, schema, '', issues, others);
  return issues.report();
}

function explain(
  value: unknown,
  schema: ValueSchema,
  path: string,
  issues: IssueList,
  others: readonly string[] = [],
): void {
  const broken = brokenRule(value, schema);
  if (broken !== undefined) {
    const { code, rule, found = describe(value) } = broken;
    issues.add({ path, code, message: `must ${rule}, not ${found}` });
  } else if (schema.properties !== undefined) {
    explainMembers(value as object, schema as ObjectSchema, path, issues, others);
  }
}

type ObjectSchema = ValueSchema & Required<Pick<ValueSchema, 'properties'>>;

function explainMembers(
  value: object,
  { properties, required = [], not }: ObjectSchema,
  path: string,
  issues: IssueList,
  others: readonly string[],
): void {
  const unknown = `unknown member; allowed are ${[...others, ...Object.keys(properties)].join(', ')}`;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) {
      issues.add({ path: pointer(path, name), code: 'unknown_member', message: unknown });
    }
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) {
      explain(Reflect.get(value, name), schema, pointer(path, name), issues);
    } else if (required.includes(name)) {
      issues.add({ path: pointer(path, name), code: 'required', message: 'is required' });
    }
  }
  if (
    not !== undefined &&
    Object.entries(not.properties).every(([name, rule]) => Reflect.get(value, name) === rule.const)
  ) {
    // The only `not` in the schemas: a style's two colours.
    const message = 'must be a colour, since the foreground is transparent';
    issues.add({ path: pointer(path, 'background'), code: 'conflict', message });
  }
}

interface BrokenRule {
  code: string;
  /** The rule, as it follows “must”. */
  rule: string;
  /** The value as a message shows it. Default: the value itself. */
  found?: string;
}

/** The first rule that `value` breaks. The members of an object are not looked at. */
function brokenRule(value: unknown, schema: ValueSchema): BrokenRule | undefined {
  if (schema.type === 'object' && typeof value === 'string') {
    const found = 'a string; where it holds JSON, that was encoded twice';
    return { code: 'wrong_type', rule: 'be an object', found };
  }
  const { anyOf = [schema] } = schema;
  const own = anyOf.find(({ type }) => isOf(type, value));
  if (own === undefined) {
    return { code: 'wrong_type', rule: `be ${anyOf.map(({ type = '' }) => `${article(type)} ${type}`).join(' or ')}` };
  }
  if (own !== schema) {
    return brokenRule(value, own);
  }
  return typeof value === 'number'
    ? brokenNumberRule(value, schema)
    : typeof value === 'string'
      ? brokenTextRule(value, schema)
      : undefined;
}

function article(noun: string): string {
  return /^[aeio]/.test(noun) ? 'an' : 'a';
}

function isOf(type: ValueSchema['type'], value: unknown): boolean {
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value) || isInfinite(value);
    default:
      return typeof value === type;
  }
}

/** True for what JSON.parse() makes of a number such as 1e400. */
function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

function brokenNumberRule(value: number, { minimum, maximum }: ValueSchema): BrokenRule | undefined {
  if (minimum !== undefined && value < minimum) {
    return { code: 'too_small', rule: `be at least ${minimum}` };
  }
  if (maximum !== undefined && value > maximum) {
    return { code: 'too_large', rule: `be at most ${maximum}` };
  }
  return undefined;
}

function brokenTextRule(value: string, schema: ValueSchema): BrokenRule | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (schema.enum?.includes(value) === false) {
    return { code: 'invalid_value', rule: `be one of ${schema.enum.join(', ')}` };
  }
  // JSON Schema counts code points; a text never has more of them than UTF-16 units.
  const characters = value.length < minLength || value.length > maxLength ? codePoints(value) : value.length;
  if (characters < minLength) {
    return { code: 'too_short', rule: `have at least ${counted(minLength, 'character')}`, found: `${characters}` };
  }
  if (characters > maxLength) {
    return { code: 'too_long', rule: `have at most ${counted(maxLength, 'character')}`, found: `${characters}` };
  }
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? undefined : patternRule(pattern);
}

/** @throws Error when the schema has a pattern without a rule */
function patternRule(pattern: string): BrokenRule {
  const rule = PATTERN_RULES[pattern];
  if (rule === undefined) {
    throw new Error(`No issue code for the pattern ${pattern}`);
  }
  return rule;
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
      return isInfinite(value) ? 'a number beyond 1.8e308' : String(value);
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
class IssueList {
  readonly #issues: Issue[] = [];
  #count = 0;

  add(issue: Issue): void {
    this.#count += 1;
    if (this.#issues.length < LIMITS.issues) {
      this.#issues.push(issue);
    }
  }

  /** Members of an error body. */
  report(): Findings {
    return { issues: this.#issues, issueCount: this.#count };
  }
}

/** Pointer to the member `name` of the value at `parent`, or to that value. A surrogate without its other half is no text: U+FFFD. */
function pointer(parent: string, name: string): string {
  if (parent.length + name.length >= MAX_POINTER_CHARACTERS) {
    return parent;
  }
  const text = name.replaceAll(/\p{Cs}/gu, '\uFFFD');
  return `${parent}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
