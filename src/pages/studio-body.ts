/** The items that a person gave the studio (a spreadsheet, an NDJSON or text file, or lines of text) as the checked NDJSON body of a job. */

import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { CheckedBody, Engine, SpreadsheetChoices, SpreadsheetReport } from '../engine/engine.js';
import { payloadTooLarge } from '../intake/body-form.js';
import { checkDraft, whileConnected } from '../intake/check-draft.js';
import { SpreadsheetRefusal, checkSpreadsheet, readSpreadsheet } from '../intake/spreadsheet.js';
import type { Draft } from '../jobs/files/drafts.js';
import type { Form } from './form.js';

/** More than the longest line that says anything, one with a logo; a file without line ends would be one string in memory. */
const LINE_BYTES = 2 * LIMITS.logoDataUrlCharacters;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The source of items: typed lines, or a file. */
export type ItemSource = { lines: string } | { path: string; name: string };

export interface StudioItems {
  source: ItemSource;
  choices: SpreadsheetChoices;
  meta: JobMeta;
}

export interface CheckedItems {
  checked: CheckedBody;
  /** Of a spreadsheet. */
  report?: SpreadsheetReport;
}

/** Writes the body and its spool, for as long as somebody waits for `response`. @throws UnreadableItemsError; SpreadsheetRefusal; ApiError as for a job */
export function checkItems(
  engine: Engine,
  response: ServerResponse,
  { source, choices, meta }: StudioItems,
  draft: Draft,
  { drawIfSmall = false } = {},
): Promise<CheckedItems> {
  const { bodyPath, spoolPath } = draft;
  return whileConnected(response, draft, async () => {
    if (isSpreadsheet(source)) {
      // The engine fills the file, which nobody else may read.
      await writeFile(bodyPath, '', { flag: 'wx', mode: 0o600 });
      const layout = /\.txt$/i.test(source.name) && choices.layout === 'header' ? 'lines' : choices.layout;
      const file = { path: source.path, choices: { ...choices, layout }, meta, bodyPath };
      const report = await readSpreadsheet(engine, file);
      return { checked: await checkSpreadsheet(engine, report, { bodyPath, spoolPath, drawIfSmall }), report };
    }
    await writeStudioBody(source, meta, bodyPath);
    return { checked: await checkDraft(engine, { bodyPath, spoolPath, drawIfSmall, form: 'ndjson' }) };
  });
}

/** The person's choices for a spreadsheet: `columns` is such as `data=0,filename=2`, with positions of columns. */
export function spreadsheetChoicesOf(form: Form): SpreadsheetChoices {
  const columns = form
    .get('columns')
    .split(',')
    .flatMap((part) => {
      const [, role, position] = /^(data|filename|caption|reference)=(\d{1,5})$/.exec(part) ?? [];
      return role === undefined
        ? []
        : [{ role: role as SpreadsheetChoices['columns'][number]['role'], position: Number(position) }];
    });
  const sheet = form.get('sheet');
  return {
    ...(sheet !== '' && { sheet }),
    columns,
    recognise: columns.length === 0,
    layout: form.get('headless') === '' ? 'header' : 'rows',
  };
}

/** The problems with the person's input, a sentence each; undefined for an error that has another cause. */
export function problemsOf(error: unknown): string[] | undefined {
  if (error instanceof UnreadableItemsError) {
    return [`The file cannot be read: ${error.message}.`];
  }
  if (error instanceof SpreadsheetRefusal) {
    const rest = error.problemCount - error.problems.length;
    return rest > 0 ? [...error.problems, `And ${rest} more.`] : error.problems;
  }
  // A person who is no member any more is shown no page of the organisation.
  if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key') {
    return undefined;
  }
  if (error.code === 'idempotency_key_reused') {
    return ['You sent this form before, and its job was deleted. Open the studio again to make another job.'];
  }
  const issues = (error.members['issues'] ?? []) as Issue[];
  // Line 1 is the style, which is not in the person's file.
  const problems = issues.map(
    ({ line, path, message }) => `${line && line > 1 ? `Item ${line - 1}, ` : ''}${path || '/'}: ${message}`,
  );
  return problems.length > 0 ? problems : [error.message];
}

/** Writes the body of items that are no spreadsheet, with the style of the studio, to a new file. @throws UnreadableItemsError; ApiError `payload_too_large` */
export async function writeStudioBody(source: ItemSource, meta: JobMeta, bodyPath: string): Promise<void> {
  if ('name' in source && /\.json$/i.test(source.name)) {
    throw new UnreadableItemsError('A JSON request goes to the API; choose a spreadsheet, an NDJSON or a text file');
  }
  const file = createWriteStream(bodyPath, { flags: 'wx', mode: 0o600 });
  await pipeline(withinLimit(ndjsonBody(source, meta), LIMITS.ndjsonBodyBytes), file);
}

function isSpreadsheet(source: ItemSource): source is { path: string; name: string } {
  return 'path' in source && !/\.(json|ndjson|jsonl)$/i.test(source.name);
}

async function* ndjsonBody(source: ItemSource, meta: JobMeta): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(meta)}\n`;
  if ('path' in source) {
    yield* createReadStream(source.path, { start: await itemsStart(source.path), highWaterMark: 1 << 20 });
    return;
  }
  for (const line of source.lines.split(/\r?\n/)) {
    if (line.trim() !== '') yield `${JSON.stringify({ data: line.trim() })}\n`;
  }
}

/** The byte at which the items of an NDJSON file begin. A first line that is no item is the style of another job, and the studio's takes its place. */
async function itemsStart(path: string): Promise<number> {
  const line = await firstLine(path);
  const mark = line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return isMeta(line.subarray(mark).toString()) ? line.length : mark;
}

/** A file's first line, with its end. */
async function firstLine(path: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of createReadStream(path) as AsyncIterable<Buffer>) {
    const end = block.indexOf('\n') + 1;
    blocks.push(end === 0 ? block : block.subarray(0, end));
    bytes += block.length;
    if (end > 0) break;
    if (bytes > LINE_BYTES) {
      throw new UnreadableItemsError(`The first line is longer than ${LINE_BYTES.toLocaleString('en')} bytes`);
    }
  }
  return Buffer.concat(blocks);
}

function isMeta(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
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

/** A file that cannot be read as its name promises. */
export class UnreadableItemsError extends Error {
  override readonly name = 'UnreadableItemsError';
}
