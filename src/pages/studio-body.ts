/** What a person gave the studio (a CSV, NDJSON or JSON file, or lines of text) as the body of a job. */

import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { payloadTooLarge } from '../intake/body-form.js';
import { csvRows, itemLine } from '../intake/csv-items.js';
import type { JobMeta } from '../intake/request-schema.js';
import { LIMITS } from '../limits.js';
import type { BodyForm } from '../render/engine.js';
import { jsonItems } from './json-items.js';
import { UnreadableItemsError } from './unreadable-items-error.js';

/** More than the longest line that says anything, one with a logo; a file without line ends would be one string in memory. */
const LINE_CHARACTERS = 2 * LIMITS.logoDataUrlCharacters;

/** Where items come from. */
export type ItemSource = { lines: string } | { path: string; name: string };

/**
 * Writes the body, with the style of the studio, to a new file at `bodyPath`, and returns its form: that of a JSON
 * request file is kept, as the names in the archive depend on it.
 * @throws UnreadableItemsError; ApiError `payload_too_large`
 */
export async function writeStudioBody(source: ItemSource, meta: JobMeta, bodyPath: string): Promise<BodyForm> {
  const file = createWriteStream(bodyPath, { flags: 'wx', mode: 0o600 });
  const isJson = 'path' in source && /\.json$/i.test(source.name);
  await pipeline(
    isJson
      ? withinLimit(jsonBody(source.path, meta), LIMITS.jsonBodyBytes)
      : withinLimit(ndjsonBody(source, meta), LIMITS.ndjsonBodyBytes),
    file,
  );
  return isJson ? 'json' : 'ndjson';
}

/** The file's items in a request of the studio's. */
async function* jsonBody(path: string, meta: JobMeta): AsyncGenerator<string | Buffer> {
  yield `{"items":`;
  yield* jsonItems(path);
  yield Object.entries(meta)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('');
  yield '}';
}

async function* ndjsonBody(source: ItemSource, meta: JobMeta): AsyncGenerator<string> {
  yield `${JSON.stringify(meta)}\n`;
  if ('lines' in source) {
    yield* fromLines(source.lines.split(/\r?\n/));
  } else if (/\.csv$/i.test(source.name)) {
    yield* fromCsv(source.path);
  } else if (/\.txt$/i.test(source.name)) {
    yield* fromLines(linesOf(source.path));
  } else {
    yield* fromNdjson(source.path);
  }
}

async function* fromLines(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    if (line.trim() !== '') {
      yield itemLine({ data: line.trim() });
    }
  }
}

async function* fromCsv(path: string): AsyncGenerator<string> {
  try {
    for await (const row of Readable.from(createReadStream(path)).pipe(csvRows())) {
      yield itemLine(row as Record<string, string>);
    }
  } catch (error) {
    throw new UnreadableItemsError((error as Error).message, { cause: error });
  }
}

/** Lines as they are. A first line that is no item is the style of another job, and the studio's takes its place. */
async function* fromNdjson(path: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const line of linesOf(path)) {
    if (!isFirst || !isMeta(line)) {
      yield `${line}\n`;
    }
    isFirst = false;
  }
}

/** A file's lines, without their ends. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + (chunk as string)).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS) {
      throw new UnreadableItemsError(`A line is longer than ${LINE_CHARACTERS.toLocaleString('en')} characters`);
    }
    yield* lines;
  }
  if (rest !== '') {
    yield rest;
  }
}

function isMeta(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !('data' in value);
  } catch {
    return false;
  }
}

async function* withinLimit<Piece extends string | Buffer>(
  pieces: AsyncIterable<Piece>,
  limitBytes: number,
): AsyncGenerator<Piece> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limitBytes) {
      throw payloadTooLarge(limitBytes);
    }
    yield piece;
  }
}
