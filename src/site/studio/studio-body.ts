/**
 * Converts the studio's items (a spreadsheet, an NDJSON or text file, or typed lines) into the checked NDJSON body of a
 * job.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { CheckedBody, Engine, SpreadsheetChoices, ReadSpreadsheetReport } from '../../engine/engine.js';
import { withinLimit } from '../../jobs/intake/body-form.js';
import { checkDraft, whileConnected } from '../../jobs/intake/check-draft.js';
import { checkSpreadsheet, readSpreadsheet, SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import type { Draft } from '../../jobs/files/drafts.js';
import { parseSmallJson } from '../read-body.js';

/**
 * Maximum length of a line: more than the longest useful one, which has a logo. Without it, a file without line ends
 * would become one string in memory.
 */
const MAX_LINE_BYTES = 2 * LIMITS.logoDataUrlCharacters;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The source of items: typed lines, or a file. */
export type ItemSource = { lines: string } | { path: string; name: string };

export interface StudioItems {
  /** The person's id. */
  holder: string;
  source: ItemSource;
  choices: SpreadsheetChoices;
  meta: JobMeta;
}

interface CheckedItems {
  checked: CheckedBody;
  /** Set for a spreadsheet. */
  report?: ReadSpreadsheetReport;
}

/**
 * Writes the body and its spool, until the client of `response` disconnects. @throws UnreadableItemsError;
 * SpreadsheetRefusal; ApiError as for a job
 */
export function checkItems(
  engine: Engine,
  response: ServerResponse,
  { holder, source, choices, meta }: StudioItems,
  draft: Draft,
  { drawIfSmall = false } = {},
): Promise<CheckedItems> {
  const { bodyPath, spoolPath } = draft;
  return whileConnected(response, draft, async () => {
    if (isSpreadsheet(source)) {
      const layout = /\.txt$/i.test(source.name) && choices.layout === 'header' ? 'lines' : choices.layout;
      const file = { path: source.path, meta: JSON.stringify(meta), bodyPath };
      const report = await readSpreadsheet(engine, { ...choices, layout, ...file, holder });
      return { checked: await checkSpreadsheet(engine, report, { bodyPath, spoolPath, drawIfSmall, holder }), report };
    }
    await writeStudioBody(source, meta, bodyPath);
    return { checked: await checkDraft(engine, { bodyPath, spoolPath, drawIfSmall, form: 'ndjson', holder }) };
  });
}

/**
 * Problems of the person's input, one sentence each. Undefined for an error with another cause. @param source names its
 * lines; without it, items are counted
 */
export function problemsOf(error: unknown, source?: ItemSource): string[] | undefined {
  if (error instanceof UnreadableItemsError) {
    return [`The file cannot be read: ${error.message}.`];
  }
  if (error instanceof SpreadsheetRefusal) {
    const rest = error.problemCount - error.problems.length;
    return rest > 0 ? [...error.problems, `And ${rest} more.`] : error.problems;
  }
  // A person who is no longer a member must not see a page of the organisation.
  if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key') {
    return undefined;
  }
  if (error.code === 'request_in_progress') {
    return ['This form is being sent already. Look for its job in the list of jobs.'];
  }
  const issues = (error.members['issues'] ?? []) as Issue[];
  // Line 1 is the style, which is not part of the person's file.
  const problems = issues.map(
    ({ line = 1, path, message }) => `${line > 1 ? `${placeOf(line - 1, source)}, ` : ''}${path || '/'}: ${message}`,
  );
  return problems.length > 0 ? problems : [error.message];
}

/** The item with a number from 1, or the typed line that it is made of. */
function placeOf(item: number, source: ItemSource | undefined): string {
  if (source === undefined || !('lines' in source)) {
    return `Item ${item}`;
  }
  let number = 0;
  let items = 0;
  for (const line of source.lines.split('\n')) {
    number += 1;
    items += line.trim() === '' ? 0 : 1;
    if (items === item) {
      break;
    }
  }
  return `Line ${number}`;
}

/**
 * Writes the body of items that are not in a spreadsheet to a new file, with the style of the studio. @throws
 * UnreadableItemsError; ApiError `payload_too_large`
 */
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
  // One by one: a list of a million lines would hold up the event loop.
  for (const [line] of source.lines.matchAll(/[^\n]+/g)) {
    if (line.trim() !== '') yield `${JSON.stringify({ data: line.trim() })}\n`;
  }
}

/**
 * Offset of the first item in an NDJSON file. A first line that is not an item is another job's settings, which the
 * studio's replace.
 */
async function itemsStart(path: string): Promise<number> {
  const line = await firstLine(path);
  const mark = line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return isMeta(line.subarray(mark).toString()) ? line.length : mark;
}

async function firstLine(path: string): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let bytes = 0;
  for await (const block of createReadStream(path) as AsyncIterable<Buffer>) {
    const end = block.indexOf('\n') + 1;
    blocks.push(end === 0 ? block : block.subarray(0, end));
    bytes += block.length;
    if (end > 0) break;
    if (bytes > MAX_LINE_BYTES) {
      throw new UnreadableItemsError(`The first line is longer than ${MAX_LINE_BYTES.toLocaleString('en')} bytes`);
    }
  }
  return Buffer.concat(blocks);
}

function isMeta(line: string): boolean {
  try {
    const value = parseSmallJson(line);
    return typeof value === 'object' && value !== null && !('data' in value);
  } catch {
    return false;
  }
}

/** The contents of a file do not match its name. */
export class UnreadableItemsError extends Error {
  override readonly name = 'UnreadableItemsError';
}
