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
import { asApiError, checkDraft } from './check-draft.js';

/** A spreadsheet that cannot become a job. */
export class SpreadsheetRefusal extends Error {
  override readonly name = 'SpreadsheetRefusal';
  readonly report: ReadSpreadsheetReport;
  /** The first hundred problems, as sentences. `problemCount` counts all. */
  readonly problems: string[];
  readonly problemCount: number;

  constructor(report: ReadSpreadsheetReport, problems: string[], problemCount: number) {
    super(problems[0] ?? 'The spreadsheet cannot be read.');
    this.report = report;
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
  return engine.readSpreadsheet(request).catch((error: unknown) => {
    throw asApiError(error);
  });
}

/**
 * Checks the body of a converted spreadsheet.
 * @throws SpreadsheetRefusal when the spreadsheet or an item is invalid; ApiError when the job's settings are
 */
export async function checkSpreadsheet(
  engine: Engine,
  report: ReadSpreadsheetReport,
  draft: Omit<CheckRequest, 'form'>,
): Promise<CheckedBody> {
  const problems = [...report.problems];
  let { problemCount } = report;
  if (report.items > 0) {
    try {
      const checked = await checkDraft(engine, { ...draft, form: 'ndjson' });
      if (problemCount === 0) return checked;
      await rm(draft.spoolPath, { force: true });
    } catch (error) {
      const found = itemProblems(report, error);
      if (found === undefined) throw error;
      problems.push(...found.problems);
      problemCount += found.problemCount;
    }
  }
  problems.sort((first, second) => (first.row ?? 0) - (second.row ?? 0));
  const sentences = problems.slice(0, LIMITS.issues).map(({ message }) => message);
  throw new SpreadsheetRefusal(report, sentences, problemCount);
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
function asProblem({ sheet, columns, rowsBeforeLine1 }: ReadSpreadsheetReport, issue: Issue): SpreadsheetProblem {
  const row = (issue.line ?? 1) + rowsBeforeLine1;
  const column = columns.findIndex(({ role }) => issue.path === `/${role}`);
  const { letters = '', name = '' } = columns[column] ?? {};
  const title = name === '' ? letters : `${letters} (${name})`;
  const place = [
    sheet === undefined ? `Row ${row}` : `Sheet ${sheet}, row ${row}`,
    ...(letters === '' ? [] : [`column ${title}`]),
  ].join(', ');
  const what =
    issue.code === 'data_too_long'
      ? 'the text does not fit into a code. Shorten it, or choose a lower level of error correction'
      : issue.message;
  return { row, ...(column >= 0 && { column }), message: `${place}: ${what.replace(/\.$/, '')}.` };
}
