/** The document's schemas: every titled one is said once, under `components`, and referred to from wherever it is used. */

import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

export class SchemaComponents {
  readonly #schemas = new Map<string, SchemaObject>();

  /** The schemas that were registered so far, by title, in alphabetical order. */
  all(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#schemas].toSorted(([left], [right]) => left.localeCompare(right, 'en')));
  }

  /** A reference to the titled `schema`, registered with every titled schema inside it. */
  refer(schema: object): ReferenceObject {
    const { title } = schema as SchemaObject;
    if (title === undefined) {
      throw new Error('a schema that is referred to has a title');
    }
    const component = this.#members(schema) as SchemaObject;
    const known = this.#schemas.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    this.#schemas.set(title, component);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** A copy of `schema` in which titled schemas are references. */
  #members<T extends object>(schema: T): T {
    return Object.fromEntries(
      Object.entries(schema).map(([name, value]: [string, unknown]) => [name, this.#part(value)]),
    ) as T;
  }

  #part(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((entry) => this.#part(entry));
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    return 'title' in value && typeof value.title === 'string'
      ? this.refer(value)
      : this.#members(withoutDefault(value));
  }
}

/**
 * The schema with its default in words. Generators of types take a member with a default for one that is always there, and
 * would have callers write all of them.
 */
function withoutDefault(schema: object): object {
  const { default: fallback, description, ...rest } = schema as SchemaObject;
  if (fallback === undefined) {
    return schema;
  }
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return { ...rest, description: `${description ?? ''} Default: \`${text}\`.`.trim() };
}
