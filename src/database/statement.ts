/**
 * Statements that are built and compiled once, and then run with other values: to build one takes longer than to run it. For
 * what every small job or poll runs.
 */

import type { Compilable, CompiledQuery, InsertObject } from 'kysely';
import type { Database } from './database.js';
import type { Schema } from './schema.js';

type Value = string | number | null;

/** Values by name. A list is for `in`; it must not be empty. */
type Values = Readonly<Record<string, Value | readonly Value[]>>;

interface Result<Row> {
  rows: Row[];
  /** Rows that were updated or deleted. */
  affected: number;
}

/** Stands for a value while the statement is built. */
class Place {
  readonly name: string;
  readonly index: number | undefined;

  constructor(name: string, index?: number) {
    this.name = name;
    this.index = index;
  }

  valueIn(values: Values): unknown {
    const value = values[this.name];
    return this.index === undefined ? value : (value as readonly Value[])[this.index];
  }
}

/**
 * Defines a statement. `build` gets places in the shape of the values; it may compare and write them, but not look at them.
 * Do not use a nullable value in a comparison: the compiled SQL has `=`, not `is`.
 */
export function statement<Given extends Values, Row = never>(
  build: (database: Database, given: Given) => Compilable<Row>,
): (database: Database, values: Given) => Promise<Result<Row>> {
  const compiled = new CompiledStatements<Row>();
  return async (database, values) => {
    const shape = Object.values(values).map((value) => (Array.isArray(value) ? value.length : ''));
    const query = compiled.get(database, shape.join(), () => build(database, placesOf(values) as Given));
    const parameters = query.parameters.map((value) => (value instanceof Place ? value.valueIn(values) : value));
    const { rows, numAffectedRows = 0n } = await database.executeQuery<Row>({ ...query, parameters });
    return { rows, affected: Number(numAffectedRows) };
  };
}

function placesOf(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((_, index) => new Place(name, index)) : new Place(name),
    ]),
  );
}

/** Rows per INSERT. Each number of rows has a compiled statement, which stays: this bounds how many there are, and their length. */
const ROWS_PER_INSERT = 100;

/** Defines the insertion of rows, all of which have the same members. Without rows it does nothing. */
export function insertion<Table extends keyof Schema>(
  table: Table,
): (database: Database, rows: readonly InsertObject<Schema, Table>[]) => Promise<void> {
  const compiled = new CompiledStatements<unknown>();
  return async (database, rows) => {
    for (let first = 0; first < rows.length; first += ROWS_PER_INSERT) {
      const some = rows.slice(first, first + ROWS_PER_INSERT) as readonly Values[];
      const query = compiled.get(database, String(some.length), () => {
        const places = placesOf(some[0] as Values) as InsertObject<Schema, Table>;
        return database.insertInto(table).values(some.map(() => places));
      });
      const places = query.parameters.slice(0, query.parameters.length / some.length) as readonly Place[];
      const parameters = some.flatMap((row) => places.map((place) => place.valueIn(row)));
      await database.executeQuery({ ...query, parameters });
    }
  };
}

const texts = new Set<string>();

/** True for the text of a statement that runs again and again with other values. */
export function isCompiledOnce(text: string): boolean {
  return texts.has(text);
}

/** Compiled statements of each database, by their shape: its length depends on the number of values. */
class CompiledStatements<Row> {
  /** By the part of an open database that its transactions share. */
  readonly #all = new WeakMap<object, Map<string, CompiledQuery<Row>>>();

  get(database: Database, shape: string, build: () => Compilable<Row>): CompiledQuery<Row> {
    const { adapter } = database.getExecutor();
    const known = this.#all.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    this.#all.set(adapter, known);
    const found = known.get(shape);
    if (found !== undefined) {
      return found;
    }
    const query = build().compile();
    known.set(shape, query);
    texts.add(query.sql);
    return query;
  }
}
