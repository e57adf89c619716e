/** Reads the parameters of a query by their schema. */

import type { Static, TObject } from 'typebox';
import type { Issue } from './errors.js';
import { parseDateTime } from './date-time.js';

/** The part of JSON Schema that schemas of queries use, and what `query-schema.ts` adds to it. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly string[];
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Digits behind the point of a number. */
  readonly decimals?: number;
  readonly unit?: string;
  /** What a text must be. */
  readonly expected?: string;
}

export interface QuerySchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[] | undefined;
}

/** Values by name, as a query, a form or a file has them. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Maximum number of characters of a value that a message quotes. */
const MAX_QUOTED_CHARACTERS = 40;

export function readQuery<Schema extends TObject>(
  schema: Schema,
  parameters: Parameters,
): Query<Static<Schema> & object> {
  return new Query(schema, parameters);
}

/** The parameters of one query. Each reading adds what is wrong to `issues`, so the order of the readings is that of the issues. */
export class Query<Values extends object> {
  readonly issues: Issue[] = [];
  readonly #schema: QuerySchema;
  readonly #parameters: Parameters;

  constructor(schema: QuerySchema, parameters: Parameters) {
    this.#schema = schema;
    this.#parameters = parameters;
  }

  /**
   * The value of a parameter. Undefined when it is absent or wrong.
   * @param maximum in place of the schema's: depends on other parameters or on the job
   */
  read<Name extends keyof Values & string>(name: Name, maximum?: number): NonNullable<Values[Name]> | undefined {
    const given = this.#parameters[name];
    if (given === undefined) {
      return undefined;
    }
    const rules = this.#schema.properties[name] as ParameterSchema;
    const schema = maximum === undefined ? rules : { ...rules, maximum };
    const isOne = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
    const text = isOne ? String(given) : undefined;
    const parsed = text === undefined ? INVALID : parse(text, schema);
    if ('code' in parsed) {
      const found = text === undefined ? 'several values' : JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS));
      this.refuse(name, parsed.code, `must be ${expectedOf(schema)}, not ${found}`);
      return undefined;
    }
    return parsed.value as NonNullable<Values[Name]>;
  }

  /** The value of a parameter that must be there: as `read`, and an issue when it is absent. */
  require<Name extends keyof Values & string>(name: Name): NonNullable<Values[Name]> | undefined {
    if (!this.has(name)) {
      this.refuse(name, 'required', `is needed: ${expectedOf(this.#schema.properties[name] as ParameterSchema)}`);
      return undefined;
    }
    return this.read(name);
  }

  /** True when the parameter is given. An empty text is none. */
  has(name: keyof Values & string): boolean {
    const given = this.#parameters[name];
    return (
      given !== undefined && (given !== '' || (this.#schema.properties[name] as ParameterSchema).type !== 'string')
    );
  }

  refuse(name: keyof Values & string, code: string, message: string): void {
    this.issues.push({ path: `/${name}`, code, message });
  }

  refuseOthers(): void {
    const known = Object.keys(this.#schema.properties);
    for (const name of Object.keys(this.#parameters).filter((each) => !known.includes(each))) {
      const pointer = name.slice(0, MAX_QUOTED_CHARACTERS).replaceAll('~', '~0').replaceAll('/', '~1');
      const message = `unknown parameter; known are ${known.join(', ')}`;
      this.issues.push({ path: `/${pointer}`, code: 'unknown_member', message });
    }
  }
}

type Parsed = { value: string | number | boolean } | { code: string };

const INVALID: Parsed = { code: 'invalid_value' };

function parse(given: string, schema: ParameterSchema): Parsed {
  switch (schema.type) {
    case 'boolean':
      return ['true', 'false'].includes(given) ? { value: given === 'true' } : INVALID;
    case 'string':
      return parseText(given, schema);
    default:
      return parseNumber(given, schema);
  }
}

function parseText(given: string, { enum: words, format, pattern }: ParameterSchema): Parsed {
  // In a query a plus that is not escaped reads as a space. A time has no space, so this one was the plus of the offset.
  const value = format === 'date-time' ? given.replace(' ', '+') : given;
  const isRight =
    (words === undefined || words.includes(value)) &&
    (format === undefined || parseDateTime(value) !== undefined) &&
    (pattern === undefined || new RegExp(pattern).test(value));
  return isRight ? { value } : INVALID;
}

function parseNumber(given: string, schema: ParameterSchema): Parsed {
  const { type, minimum = 0, maximum = Number.POSITIVE_INFINITY, decimals = 0 } = schema;
  const digits = type === 'integer' ? '\\d{1,7}' : `\\d{1,4}(?:\\.\\d{1,${decimals}})?`;
  if (!new RegExp(`^${minimum < 0 ? '-?' : ''}${digits}$`).test(given)) {
    return INVALID;
  }
  const value = Number(given);
  return value < minimum ? { code: 'too_small' } : value > maximum ? { code: 'too_large' } : { value };
}

/** What a parameter must be, as a message says it after “must be”. */
function expectedOf({ type, enum: words, minimum, maximum, decimals, unit, expected }: ParameterSchema): string {
  if (words !== undefined) {
    return `one of ${words.join(', ')}`;
  }
  if (expected !== undefined || type === 'boolean') {
    return expected ?? 'true or false';
  }
  const range = Number.isFinite(maximum ?? Number.POSITIVE_INFINITY)
    ? `from ${minimum} to ${maximum}`
    : `from ${minimum} on`;
  return type === 'integer'
    ? `a whole number ${range}`
    : [`a number ${range}`, unit, `with at most ${decimals} decimal${decimals === 1 ? '' : 's'}`]
        .filter(Boolean)
        .join(' ');
}
