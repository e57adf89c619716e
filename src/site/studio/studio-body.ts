/**
 * Converts the studio's items (a spreadsheet, an NDJSON or text file, or typed lines) into the checked NDJSON body of a
 * job.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { BYTE_ORDER_MARK } from '../../contract/encodings.js';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { Engine, ReadSpreadsheetReport, SpreadsheetChoices, SpreadsheetProblem } from '../../engine/engine.js';
import { withinLimit } from '../../jobs/intake/request-body.js';
import { whileConnected } from '../../jobs/intake/check-draft.js';
import {
  type CheckedSheet,
  checkSpreadsheet,
  columnTitle,
  type FaultyRows,
  readSpreadsheet,
  SpreadsheetRefusal,
  unitOf,
} from '../../jobs/intake/spreadsheet.js';
import type { Formats } from '../shell/formats.js';
import { firstNames } from '../shell/item-names.js';
import { parseSmallJson } from '../shell/small-json.js';
import { isSpreadsheet, type ItemSource } from './item-source.js';
import { settingProblem } from './studio-style.js';
import type { Draft } from '../../jobs/files/draft.js';

/**
 * Maximum length of a line: more than the longest useful one, which has a logo. Without it, a file without line ends
 * would become one string in memory.
 */
const MAX_LINE_BYTES = 2 * LIMITS.logoDataUrlCharacters;

/** Bytes of a body that are searched for the first items. The first line may contain a logo. */
const HEAD_BYTES = 1_000_000;

/** Sentences that are listed; a person mends these first. */
const MOST_PROBLEMS = 20;

/** Problems that are known by their place, and counted by kind. */
export const MOST_KNOWN = 10_000;

/** Rows that have the same problem and a sentence each. More have one in common. */
const MOST_ALONE = 2;

/** Rows that a sentence names. */
const MOST_NAMED = 5;

const PATTERN_NAMES = { data: '“Link or text”', caption: '“Caption”', filename: '“File name”' };

/** The byte order mark in UTF-8. */
const MARK = Buffer.from(BYTE_ORDER_MARK);

export interface StudioItems {
  /** The person's id. */
  holder: string;
  source: ItemSource;
  choices: SpreadsheetChoices;
  meta: JobMeta;
  /** See `checkSpreadsheet`. */
  skips?: (faulty: FaultyRows) => boolean;
}

export interface CheckedItems {
  checked: CheckedSheet;
  /** Set for a spreadsheet. */
  report?: ReadSpreadsheetReport;
  /** A row or line of the source is the line of the body plus this. */
  rowsBeforeLine1: number;
  /** The first lines of the body, which is deleted where its job is drawn at once. */
  firstLines: string[];
}

/**
 * Writes the body and its spool, until the client of `response` disconnects. @throws UnreadableItemsError;
 * SpreadsheetRefusal; ApiError as for a job. `isUnseen`: nobody has seen which sheet of a workbook is read.
 */
export function checkItems(
  engine: Engine,
  response: ServerResponse,
  { holder, source, choices, meta, skips }: StudioItems,
  draft: Draft,
  { drawIfSmall = false, isUnseen = false } = {},
): Promise<CheckedItems> {
  const { bodyPath, spoolPath } = draft;
  const ofRows = { bodyPath, spoolPath, drawIfSmall, holder, maxIssues: MOST_KNOWN, skips };
  return whileConnected(response, draft, async () => {
    if (isSpreadsheet(source)) {
      const layout = /\.txt$/i.test(source.name) && choices.layout === 'header' ? 'lines' : choices.layout;
      const file = { path: source.path, meta: JSON.stringify(meta), bodyPath };
      const report = await readSpreadsheet(engine, { ...choices, layout, ...file, holder, maxProblems: MOST_KNOWN });
      if (isUnseen && choices.sheet === undefined && report.fittingSheets.length > 1) throw severalSheets(report);
      const { rowsBeforeLine1 } = report;
      const { leavesPlaceholders } = choices;
      const firstLines = await firstLinesOf(bodyPath);
      return {
        checked: await checkSpreadsheet(engine, report, { ...ofRows, leavesPlaceholders }),
        report,
        rowsBeforeLine1,
        firstLines,
      };
    }
    const rowsBeforeLine1 = await writeStudioBody(source, meta, bodyPath);
    const firstLines = await firstLinesOf(bodyPath);
    const checked = await checkSpreadsheet(engine, { ...LINES, rowsBeforeLine1 }, ofRows);
    return { checked, rowsBeforeLine1, firstLines };
  });
}

async function firstLinesOf(bodyPath: string): Promise<string[]> {
  await using body = await open(bodyPath);
  const { bytesRead, buffer } = await body.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  // The last line of a body need not end; that of a longer body's head may be cut.
  const whole = bytesRead < HEAD_BYTES ? bytesRead : buffer.lastIndexOf('\n');
  return buffer.subarray(0, whole).toString().split('\n');
}

/** A page without scripts shows nothing of a workbook before its codes are made. */
function severalSheets(report: ReadSpreadsheetReport): SpreadsheetRefusal {
  const message = `Several sheets have codes: ${report.fittingSheets.join(', ')}. Choose one.`;
  return new SpreadsheetRefusal(report, [{ what: message, message }], 1);
}

/** Which letters are in doubt, where a file does not name its encoding, or seems to be encoded twice. */
export function encodingNotice({ encoding, notices }: ReadSpreadsheetReport): string | undefined {
  const doubt = encoding === 'UTF-8' ? /seems? to be UTF-8 that was encoded twice;/ : /^The file is not UTF-8;/;
  return notices.find((notice) => doubt.test(notice));
}

/** Lines as a sheet without columns. */
export const LINES: ReadSpreadsheetReport = {
  rowsBeforeLine1: 0,
  sheets: [],
  columns: [],
  asksForColumns: false,
  asksForHeader: false,
  hasNoHeader: false,
  asksForEncoding: false,
  asksForLinks: false,
  asksForDates: false,
  ambiguousDates: 0,
  asksForCountry: false,
  nationalNumbers: 0,
  rowsWithoutCountry: 0,
  linkCells: 0,
  asksForDay: false,
  passwordlessNetworks: 0,
  placeholderRows: 0,
  placeholderPlaces: [],
  wrongCheckDigits: 0,
  nameRows: 0,
  askedFields: [],
  fittingSheets: [],
  firstRows: [],
  items: 1,
  problems: [],
  problemCount: 0,
  faultyRows: 0,
  notices: [],
};

/**
 * The first problems of the person's input, one sentence each, and how many more there are. @throws the error itself, if it has
 * another cause
 */
export function problemsOf(error: unknown, formats: Pick<Formats, 'number'>): string[] {
  if (error instanceof UnreadableItemsError) {
    return [`The file cannot be read: ${error.message}.`];
  }
  if (error instanceof SpreadsheetRefusal) {
    const { places, problemCount } = error;
    const each = places.filter((place, at) => !isRepeated(place, places[at - 1]));
    return firstOf(groupsOf(error, each, formats), problemCount - places.length + each.length, formats);
  }
  // A person who is no longer a member must not see a page of the organisation.
  if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'invalid_api_key') {
    throw error;
  }
  if (error.code === 'request_in_progress') {
    return ['This form is being sent already. Look for its job in the list of jobs.'];
  }
  const issues = (error.members['issues'] ?? []) as Issue[];
  const problems = issues.map((issue) => (issue.path === '/items' ? 'The file has no codes.' : settingProblem(issue)));
  const sentences = problems.map((text) => ({ text, count: 1 }));
  return problems.length > 0 ? firstOf(sentences, problems.length, formats) : [error.message];
}

/** A sentence about one or several problems. */
interface Sentence {
  text: string;
  /** Number of the problems. */
  count: number;
}

function firstOf(sentences: Sentence[], count: number, { number }: Pick<Formats, 'number'>): string[] {
  const listed = sentences.slice(0, MOST_PROBLEMS);
  const rest = count - listed.reduce((sum, each) => sum + each.count, 0);
  return [...listed.map(({ text }) => text), ...(rest > 0 ? [`And ${number(rest)} more.`] : [])];
}

/** The problems, by the first row of each: rows of a column with the same problem have one sentence. */
function groupsOf(
  refusal: SpreadsheetRefusal,
  places: readonly SpreadsheetProblem[],
  formats: Pick<Formats, 'number'>,
): Sentence[] {
  const groups = new Map<string, SpreadsheetProblem[]>();
  for (const problem of places) {
    const key = JSON.stringify([problem.column, problem.what]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()].flatMap((group): Sentence[] =>
    group.length <= MOST_ALONE
      ? group.map(({ message }) => ({ text: patternsNamed(message), count: 1 }))
      : [{ text: patternsNamed(sentenceOf(refusal, group, formats)), count: group.length }],
  );
}

/** The same empty cell, which another pattern needs too. */
function isRepeated({ row, column, what }: SpreadsheetProblem, before?: SpreadsheetProblem): boolean {
  const isOfPattern = what.startsWith('the cell is empty, but the pattern ');
  return isOfPattern && row !== undefined && row === before?.row && column === before.column;
}

/** Patterns as the page calls their fields. */
export function patternsNamed(text: string): string {
  return text.replaceAll(
    /(?<=pattern )of the (data|caption|filename)/g,
    (_, role: keyof typeof PATTERN_NAMES) => PATTERN_NAMES[role],
  );
}

/** Such as `312 rows, column B (Password): there is no password. Rows 3, 4, 7, 12, 15 and 307 more.` */
function sentenceOf(
  { report, places, problemCount }: SpreadsheetRefusal,
  group: readonly SpreadsheetProblem[],
  { number }: Pick<Formats, 'number'>,
): string {
  const unit = unitOf(report);
  const [{ column, what } = { column: undefined, what: '' }] = group;
  const title = columnTitle(report, column);
  const named = group.slice(0, MOST_NAMED).map(({ row = 0 }) => number(row));
  return [
    problemCount > places.length ? 'At least ' : '',
    `${number(group.length)} ${unit}s${title === '' ? '' : `, column ${title}`}: `,
    /^(?:is|must|has) /.test(what) ? 'each ' : '',
    `${what} ${unit === 'row' ? 'Rows' : 'Lines'} ${firstNames(named, group.length, { number })}.`,
  ].join('');
}

/**
 * Writes the body of items that are not in a spreadsheet to a new file, with the style of the studio. Returns by how much a line's
 * number in the source is greater than in the body: 0 or -1. @throws UnreadableItemsError; ApiError `payload_too_large`
 */
export async function writeStudioBody(source: ItemSource, meta: JobMeta, bodyPath: string): Promise<number> {
  if ('name' in source && /\.json$/i.test(source.name)) {
    throw new UnreadableItemsError('A JSON request goes to the API; choose a spreadsheet, an NDJSON or a text file');
  }
  const start = 'path' in source ? await itemsStart(source.path) : { bytes: 0, lines: 0 };
  const file = createWriteStream(bodyPath, { flags: 'wx', mode: 0o600 });
  await pipeline(withinLimit(ndjsonBody(source, meta, start.bytes), LIMITS.ndjsonBodyBytes), file);
  return start.lines - 1;
}

async function* ndjsonBody(source: ItemSource, meta: JobMeta, start: number): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(meta)}\n`;
  if ('path' in source) {
    yield* createReadStream(source.path, { start, highWaterMark: 1 << 20 });
    return;
  }
  // One by one: a list of a million lines would hold up the event loop. Blank ones stay, so that a problem names its line.
  for (const [line] of source.lines.matchAll(/[^\n]*\n?/g)) {
    const data = line.trim();
    yield data === '' ? '\n' : `${JSON.stringify({ data })}\n`;
  }
}

/**
 * Bytes and lines before the first item in an NDJSON file. A first line that is not an item is another job's settings, which the
 * studio's replace.
 */
async function itemsStart(path: string): Promise<{ bytes: number; lines: number }> {
  const line = await firstLine(path);
  const mark = line.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  return isMeta(line.subarray(mark).toString()) ? { bytes: line.length, lines: 1 } : { bytes: mark, lines: 0 };
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
