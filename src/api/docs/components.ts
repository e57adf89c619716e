/** The schemas of the document: each titled schema appears once, under `components`, and is referenced elsewhere. */

import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';

export class SchemaComponents {
  readonly #schemas = new Map<string, SchemaObject>();

  /** The schemas registered so far, by title, sorted. */
  all(): Record<string, SchemaObject> {
    return Object.fromEntries([...this.#schemas].toSorted(([left], [right]) => left.localeCompare(right, 'en')));
  }

  /** A reference to the titled `schema`. Registers it and every titled schema inside it. */
  refer(schema: object): ReferenceObject {
    const { title } = schema as SchemaObject;
    if (title === undefined) {
      throw new Error('a referenced schema must have a title');
    }
    const component = this.#members(schema) as SchemaObject;
    const known = this.#schemas.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    this.#schemas.set(title, component);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** A copy of `schema` with references in place of titled schemas. */
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
 * The schema with its default moved into its description. Type generators treat a member with a default as always
 * present, so callers would have to write all of them.
 */
function withoutDefault(schema: object): object {
  const { default: fallback, description, ...rest } = schema as SchemaObject;
  if (fallback === undefined) {
    return schema;
  }
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return { ...rest, description: `${description ?? ''} Default: \`${text}\`.`.trim() };
}
