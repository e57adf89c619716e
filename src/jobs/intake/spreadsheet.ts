/** A spreadsheet as a job: the engine reads it, its items are checked, and problems are reported by row and column. */

import { rm, writeFile } from 'node:fs/promises';
import { ApiError, type Issue } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type {
  CheckedBody,
  CheckRequest,
  Engine,
  ReadSpreadsheetReport,
  SpreadsheetProblem,
  SpreadsheetRequest,
} from '../../engine/engine.js';
import { type SourcePlaces, sourcePlaces } from '../source-places.js';
import { asApiError, checkDraft } from './check-draft.js';

/** Rows that cannot be codes, beside others that can, and beside those with a placeholder that the person leaves out. */
export interface FaultyRows {
  rows: number;
  /** Rows that can be codes. */
  good: number;
  /** The first problems of the rows, by row. `problemCount` counts all. */
  problems: SpreadsheetProblem[];
  problemCount: number;
}

export interface SheetDraft extends Omit<CheckRequest, 'form'> {
  /** Called where some rows can be codes and others not. True: those are left out. Default: the sheet is refused. */
  skips?: ((faulty: FaultyRows) => boolean) | undefined;
  /** See `SpreadsheetChoices`. */
  leavesPlaceholders?: boolean | undefined;
}

export interface CheckedSheet extends CheckedBody {
  /** Rows that were left out, if the person chose so. */
  skippedRows: number;
  sourcePlaces: SourcePlaces;
}

/** A spreadsheet that cannot become a job. */
export class SpreadsheetRefusal extends Error {
  override readonly name = 'SpreadsheetRefusal';
  readonly report: ReadSpreadsheetReport;
  /** The first hundred problems, as sentences. `problemCount` counts all. */
  readonly problems: string[];
  readonly problemCount: number;
  /** The first problems with their places. */
  readonly places: SpreadsheetProblem[];

  constructor(report: ReadSpreadsheetReport, places: SpreadsheetProblem[], problemCount: number) {
    const problems = places.slice(0, LIMITS.issues).map(({ message }) => message);
    super(problems[0] ?? 'The spreadsheet cannot be read.');
    this.report = report;
    this.places = places;
    this.problems = problems;
    this.problemCount = problemCount;
  }
}

/**
 * Has the engine read a spreadsheet into a body that does not exist yet. @throws BodyAbortedError when the body is deleted
 * meanwhile; ApiError when the reading takes too long
 */
export async function readSpreadsheet(engine: Engine, request: SpreadsheetRequest): Promise<ReadSpreadsheetReport> {
  // Created with mode 0600 first: the engine fills the file, which nobody else may read.
  await writeFile(request.bodyPath, '', { flag: 'wx', mode: 0o600 });
  const report = await engine.readSpreadsheet(request).catch((error: unknown) => {
    throw asApiError(error);
  });
  const notice = levelNotice(request);
  return notice === undefined ? report : { ...report, notices: [...report.notices, notice] };
}

/** What to say about the level of error correction, which the document of payments sets. */
function levelNotice({ composed = [], meta }: SpreadsheetRequest): string | undefined {
  if (!composed.some(({ kind }) => kind === 'payment')) return undefined;
  const { style } = JSON.parse(meta) as { style?: { ecLevel?: unknown } };
  const level = style?.ecLevel;
  return typeof level !== 'string' || level === 'M'
    ? undefined
    : `The codes have level ${level}; for payments EPC069-12 asks for M, which some bank apps need.`;
}

/**
 * Checks the body of a converted spreadsheet, whose file names become distinct as those of a JSON body do.
 * @throws SpreadsheetRefusal when the spreadsheet or an item is invalid; ApiError when the job's settings are
 */
export async function checkSpreadsheet(
  engine: Engine,
  report: ReadSpreadsheetReport,
  { skips, leavesPlaceholders = false, ...draft }: SheetDraft,
): Promise<CheckedSheet> {
  const problems = [...report.problems];
  let { problemCount } = report;
  const left = leavesPlaceholders ? report.placeholderRows : 0;
  if (report.items > 0) {
    try {
      const checked = await checkDraft(engine, { ...draft, form: 'ndjson', skipFaulty: true, distinctNames: true });
      const { skipped } = checked;
      if (skipped !== undefined) {
        problems.push(...skipped.issues.map((issue) => asProblem(report, issue)));
        problemCount += skipped.issueCount;
      }
      problems.sort(byRow);
      const rows = report.faultyRows + (skipped?.items ?? 0);
      const isOfRows = report.problemCount === 0 || report.faultyRows > 0;
      const others = { problems: left > 0 ? problems.filter(isNotLeft) : problems, problemCount: problemCount - left };
      if (others.problemCount === 0 || (isOfRows && skips?.({ rows: rows - left, good: checked.total, ...others }))) {
        const { rowsBeforeLine1 } = report;
        return {
          ...checked,
          skippedRows: rows,
          sourcePlaces: sourcePlaces(checked.lines, {
            unit: unitOf(report),
            rowsBeforeLine1,
            faulty: problems,
          }),
        };
      }
      await rm(draft.spoolPath, { force: true });
    } catch (error) {
      const found = itemProblems(report, error);
      if (found === undefined) throw error;
      problems.push(...found.problems);
      problemCount += found.problemCount;
    }
  }
  const others = left > 0 ? problems.filter(isNotLeft) : problems;
  // Where nothing else is wrong, they are the reason why there are no codes.
  const [listed, count] = others.length > 0 ? [others, problemCount - left] : [problems, problemCount];
  throw new SpreadsheetRefusal(report, listed.toSorted(byRow), count);
}

/** False for a row that the person leaves out for its placeholder, as a total or as a note. */
function isNotLeft({ choice }: SpreadsheetProblem): boolean {
  return choice !== 'placeholder';
}

/** A column as people find it, such as `B (Room)`. Empty where there is none at that position. */
export function columnTitle({ columns }: ReadSpreadsheetReport, position: number | undefined): string {
  const { letters = '', name = '' } = columns[position ?? -1] ?? {};
  return name === '' ? letters : `${letters} (${name})`;
}

/** A list without columns is a text. */
export function unitOf({ columns }: ReadSpreadsheetReport): SourcePlaces['unit'] {
  return columns.length === 0 ? 'line' : 'row';
}

function byRow(first: SpreadsheetProblem, second: SpreadsheetProblem): number {
  return (first.row ?? 0) - (second.row ?? 0);
}

/** Translates the API's issues of items into places of the spreadsheet. Undefined for every other error. */
function itemProblems(
  report: ReadSpreadsheetReport,
  error: unknown,
): { problems: SpreadsheetProblem[]; problemCount: number } | undefined {
  if (!(error instanceof ApiError) || error.code === 'invalid_meta_line') return undefined;
  const { issues = [], issueCount = 0 } = error.members as { issues?: Issue[]; issueCount?: number };
  if (!issues.every(({ line }) => line !== undefined) || issues.length === 0) return undefined;
  return { problems: issues.map((issue) => asProblem(report, issue)), problemCount: issueCount };
}

/** An issue of the body as a sentence with its row and column in the spreadsheet. */
function asProblem(report: ReadSpreadsheetReport, issue: Issue): SpreadsheetProblem {
  const { sheet, sheets, columns, rowsBeforeLine1 } = report;
  const row = (issue.line ?? 1) + rowsBeforeLine1;
  const column = columns.findIndex(({ role }) => issue.path === `/${role}`);
  const title = columnTitle(report, column);
  const place = [
    sheet === undefined || sheets.length < 2
      ? `${unitOf(report) === 'line' ? 'Line' : 'Row'} ${row}`
      : `Sheet ${sheet}, row ${row}`,
    ...(title === '' ? [] : [`column ${title}`]),
  ].join(', ');
  const said = wordsOf(issue).replace(/\.$/, '');
  const member = column === -1 && !(issue.path === '/data' && isOfLength(issue)) ? issue.path.slice(1) : '';
  const isPredicate = /^(?:is|must|has) /.test(said);
  const what = `${member}${member === '' ? '' : isPredicate ? ' ' : ': '}${said}.`;
  return {
    row,
    ...(column >= 0 && { column }),
    what,
    message: `${place}${member === '' && isPredicate ? '' : ':'} ${what}`,
  };
}

/** True for text that is too long for a code: a line or a row without columns is nothing but that text. */
function isOfLength({ code }: Issue): boolean {
  return code === 'too_long' || code === 'data_too_long' || code === 'qr_too_large';
}

function wordsOf({ code, message }: Issue): string {
  switch (code) {
    case 'data_too_long':
      return 'the text does not fit into a code. Shorten it, or choose a lower level of error correction';
    case 'invalid_json':
      // The line is another one in the file.
      return `is not JSON: ${message.replace(/ at line \d+, column/, ' in column')}`;
    default:
      return message;
  }
}
