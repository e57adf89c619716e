/** An input file as a request body: what form it has, and how a CSV file or options of the command line become one. */

import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { csvRows, itemLine } from '../intake/csv-items.js';
import type { BodyForm } from '../render/engine.js';

/** Standard input, as a file name. */
const STANDARD_INPUT = '-';

export interface BodyOverrides {
  /** Replaces the body's own `format`. */
  format?: string;
  /** JSON text that replaces the body's own `style`. */
  style?: string;
}

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

export function contentTypeOf(form: BodyForm): string {
  return CONTENT_TYPES[form];
}

/** The form of a request body by its name; what is not named `.json` is NDJSON, the form that has no size to fear. */
export function formOf(path: string): BodyForm {
  return path.toLowerCase().endsWith('.json') ? 'json' : 'ndjson';
}

/** Before anything is done for it. @throws Error where there is no such file, or a folder */
export async function requireFile(file: string): Promise<void> {
  if (file !== STANDARD_INPUT && (await stat(file)).isDirectory()) {
    throw new Error(`${file} is a folder, and not a file of items`);
  }
}

/**
 * Writes the request body that `file` stands for to `bodyPath`: a JSON or NDJSON body, or a CSV file whose first line names the
 * columns `data`, `filename`, `caption`.
 *
 * @throws Error when a CSV file or an override cannot be read
 */
export async function writeBody(file: string, overrides: BodyOverrides, bodyPath: string): Promise<BodyForm> {
  const source = file === STANDARD_INPUT ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
  if (file.toLowerCase().endsWith('.csv')) {
    await pipeline(source, csvRows(), csvBody(overrides), createWriteStream(bodyPath));
    return 'ndjson';
  }
  await pipeline(source, createWriteStream(bodyPath));
  const form = formOf(file);
  if (overrides.format !== undefined || overrides.style !== undefined) await override(bodyPath, form, overrides);
  return form;
}

function csvBody(overrides: BodyOverrides) {
  return async function* (rows: AsyncIterable<Record<string, string>>) {
    yield `${JSON.stringify(meta({}, overrides))}\n`;
    for await (const row of rows) {
      yield itemLine(row);
    }
  };
}

function meta(own: object, { format, style }: BodyOverrides): object {
  return {
    ...own,
    ...(format !== undefined && { format }),
    ...(style !== undefined && { style: JSON.parse(style) as unknown }),
  };
}

async function override(bodyPath: string, form: BodyForm, overrides: BodyOverrides): Promise<void> {
  const body = await readFile(bodyPath);
  const lineEnd = form === 'json' ? -1 : body.indexOf('\n');
  const end = lineEnd === -1 ? body.length : lineEnd;
  let own: unknown;
  try {
    own = JSON.parse(body.subarray(0, end).toString());
  } catch {
    // What is not JSON is left as it is, for the check to point to the place.
    return;
  }
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return;
  await writeFile(bodyPath, Readable.from([JSON.stringify(meta(own, overrides)), body.subarray(end)]));
}
