/** The view model of a schema: a row per member, with its constraints in words. */

import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';
import { escapeHtml } from '../../../platform/quoting.js';
import { inline } from './html.js';

export interface MemberRow {
  name: string;
  required: boolean;
  /** HTML. */
  type: string;
  /** HTML. */
  rules: string;
  /** HTML. */
  description: string;
}

type Schema = SchemaObject | ReferenceObject;

/** The row of a parameter, header or member. */
export function memberRow(
  name: string,
  schema: Schema | undefined,
  rest: { required?: boolean; description?: string },
): MemberRow {
  const own = isReference(schema) ? undefined : schema;
  return {
    name,
    required: rest.required ?? false,
    type: typeOf(schema),
    rules: own === undefined ? '' : rulesOf(own).join(', '),
    description: inline(rest.description ?? own?.description ?? ''),
  };
}

export function schemaView(name: string, schema: SchemaObject) {
  const { description = '', properties = {}, required = [] } = schema;
  return {
    name,
    description: inline(description),
    members: Object.entries(properties).map(([member, its]) =>
      memberRow(member, its, { required: required.includes(member) }),
    ),
  };
}

/** The name at the end of a reference. Undefined for an inline schema. */
export function referredName(schema: Schema | undefined): string | undefined {
  return isReference(schema) ? schema.$ref.split('/').at(-1) : undefined;
}

function isReference(schema: Schema | undefined): schema is ReferenceObject {
  return schema?.$ref !== undefined;
}

function typeOf(schema: Schema | undefined): string {
  const name = referredName(schema);
  if (name !== undefined) {
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const { type, items } = (schema ?? {}) as SchemaObject;
  return type === 'array' ? `array of ${typeOf(items)}` : escapeHtml(String(type ?? 'any'));
}

/** The constraints of a value, as HTML phrases. */
function rulesOf(schema: SchemaObject): string[] {
  const { enum: values, const: constant, pattern, format, default: fallback, minimum, maximum } = schema;
  return [
    ...(values === undefined ? [] : [`one of ${values.map(code).join(', ')}`]),
    ...(constant === undefined ? [] : [`always ${code(constant)}`]),
    ...range(minimum, maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...(pattern === undefined ? [] : [`matches ${code(pattern)}`]),
    ...(format === undefined ? [] : [escapeHtml(format)]),
    ...(fallback === undefined ? [] : [`default ${code(fallback)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const number = (value: number) => value.toLocaleString('en');
  if (most !== undefined) {
    return [least === undefined ? `at most ${number(most)}${unit}` : `${number(least)} to ${number(most)}${unit}`];
  }
  return least === undefined ? [] : [`at least ${number(least)}${unit}`];
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}
