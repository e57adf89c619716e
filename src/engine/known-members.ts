/** What of a value its schema knows: the rest is reported here, since TypeBox would build an error object for each of millions of unknown members. */

import type { TSchema } from 'typebox';
import type { IssueList } from './issue-list.js';
import { pointer } from './json-pointer.js';

/**
 * A copy of `value` without the members that `schema` does not know, at any level; each of them becomes an issue.
 * @param others members that stand beside those of the schema and were taken out of `value`
 */
export function knownMembers(
  value: unknown,
  schema: TSchema,
  path: string,
  issues: IssueList,
  others: readonly string[] = [],
): unknown {
  if (!hasProperties(schema) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const known: Record<string, unknown> = {};
  const message = `Expected only ${[...others, ...Object.keys(schema.properties)].join(', ')}`;
  for (const name of Object.keys(value)) {
    const memberSchema = Object.hasOwn(schema.properties, name) && schema.properties[name];
    if (memberSchema) {
      known[name] = knownMembers(Reflect.get(value, name), memberSchema, pointer(path, name), issues);
    } else {
      issues.add({ path: pointer(path, name), code: 'unknown_member', message });
    }
  }
  return known;
}

function hasProperties(schema: TSchema): schema is TSchema & { properties: Record<string, TSchema> } {
  return 'properties' in schema;
}
