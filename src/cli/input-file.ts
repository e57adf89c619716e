/**
 * Turns an input file into a request body: a JSON or NDJSON body unchanged, or a spreadsheet that the engine converts.
 */

import { createWriteStream } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { counted } from '../platform/counted.js';
import { jsonValue, refuse } from './arguments.js';
import type { BodyForm, CheckedBody, Engine, SpreadsheetChoices, ReadSpreadsheetReport } from '../engine/engine.js';
import { checkDraft } from '../jobs/intake/check-draft.js';
import {
  type CheckedSheet,
  checkSpreadsheet,
  type FaultyRows,
  readSpreadsheet,
  type SheetDraft,
} from '../jobs/intake/spreadsheet.js';

const PLAIN_CHOICES: SpreadsheetChoices = { columns: [], recognise: true, layout: 'header' };

const STANDARD_INPUT = '-';

/** The file that `--style` names, and its JSON value. */
export interface StyleFile {
  file: string;
  value: unknown;
}

interface BodyOverrides {
  /** Replaces the body's own `format`. */
  format?: string;
  /** Replaces the body's own `style`. */
  style?: StyleFile;
  /** Replaces the body's own `verify`. */
  verify?: string;
}

export interface InputOptions extends BodyOverrides {
  spreadsheet?: SpreadsheetChoices;
  /** Called with each hint about the input that does not prevent a job. */
  onNotice?: (notice: string) => void;
  /** Leaves out the rows of a spreadsheet that cannot be codes, and names the first hundred faults by `onNotice`. */
  skipFaulty?: boolean;
  /** Files that options name. */
  optionFiles?: readonly string[];
  /** Accepts spreadsheets with more items than one job may have. */
  isForSeveralJobs?: boolean;
}

/** The request body made from an input. */
export interface WrittenBody {
  form: BodyForm;
  bodyPath: string;
  /** Set for a spreadsheet. */
  report?: ReadSpreadsheetReport;
}

type CheckedInput = CheckedBody & Partial<Pick<CheckedSheet, 'skippedRows'>>;

type InputForm = BodyForm | 'spreadsheet';

const FORMS: Readonly<Record<string, InputForm>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'spreadsheet',
  '.tsv': 'spreadsheet',
  '.xlsx': 'spreadsheet',
};

/** Bytes read to detect a file's format when its name does not tell: more than line 1 of any body has. */
const HEAD_BYTES = 1_000_000;

/** Called before any work is done. @throws Error when there is no such file, or it is a folder */
export async function requireFile(file: string): Promise<void> {
  if (file !== STANDARD_INPUT && (await stat(file)).isDirectory()) {
    throw new Error(`${file} is a folder, not a file of items`);
  }
}

/** The files that the command reads. A sheet of labels among them may be a name that no file has. */
export function filesRead(file: string, { optionFiles = [] }: InputOptions): readonly string[] {
  return file === STANDARD_INPUT ? optionFiles : [file, ...optionFiles];
}

/**
 * Writes the request body of `file` (`-`: standard input) into `folder` and checks it.
 * @throws ApiError as the service would; SpreadsheetRefusal
 */
export async function checkInput(
  engine: Engine,
  file: string,
  options: InputOptions,
  folder: string,
): Promise<WrittenBody & { spoolPath: string; checked: CheckedInput }> {
  const body = await writeBody(engine, file, options, folder);
  const spoolPath = join(folder, 'spool');
  const skips = options.skipFaulty
    ? (faulty: FaultyRows) => {
        reportFaulty(faulty, options);
        return true;
      }
    : undefined;
  const checked = await checkWrittenBody(engine, body, { spoolPath, skips }, options.style);
  for (const notice of noticesOf(body.report)) options.onNotice?.(notice);
  reportWarnings(checked, options);
  return { ...body, spoolPath, checked };
}

/** Sentences about a spreadsheet that do not prevent a job. */
export function noticesOf(report: ReadSpreadsheetReport | undefined): string[] {
  return report === undefined ? [] : [...report.notices, report.unusedColumns ?? []].flat();
}

/** Writes the body into `folder`. A body without changes is read from its original place. */
export async function writeBody(
  engine: Engine,
  file: string,
  options: InputOptions,
  folder: string,
): Promise<WrittenBody> {
  const bodyPath = join(folder, 'body');
  let path = file;
  if (file === STANDARD_INPUT) {
    path = join(folder, 'input');
    await pipeline(process.stdin, createWriteStream(path));
  }
  const inputForm = FORMS[extname(file).toLowerCase()] ?? (await formByContent(path));
  if (inputForm === 'spreadsheet') {
    const { spreadsheet: choices = PLAIN_CHOICES, isForSeveralJobs = false } = options;
    const request = { ...choices, path, meta: JSON.stringify(meta({}, options)), bodyPath, isForSeveralJobs };
    const report = await readSpreadsheet(engine, request);
    if (choices.sheet !== undefined && report.sheet === undefined && report.problems.length === 0) {
      refuse(`${nameOf(file)} has no sheets, so --sheet cannot be used`);
    }
    if (report.asksForField === 'password') {
      refuse(
        '--kind wifi needs a column for the password, or for the encryption where networks are open: add --column password=NAME or --column encryption=NAME',
      );
    }
    return { form: 'ndjson', bodyPath, report };
  }
  refuseChoices(file, options);
  const overrides = [options.format, options.style, options.verify];
  if (overrides.every((value) => value === undefined)) return { form: inputForm, bodyPath: path };
  await override({ from: path, to: bodyPath }, inputForm, options);
  return { form: inputForm, bodyPath };
}

/** @throws UsageError when the file, which is no spreadsheet, came with an option that only spreadsheets have */
function refuseChoices(file: string, { spreadsheet = PLAIN_CHOICES, skipFaulty = false }: InputOptions): void {
  const { sheet, links, dates, callingCode, encoding, columns, composed = [], layout } = spreadsheet;
  const chosen = [
    ...(skipFaulty ? ['--skip-faulty'] : []),
    ...(sheet === undefined ? [] : ['--sheet']),
    ...(links === undefined ? [] : ['--links']),
    ...(dates === undefined ? [] : ['--dates']),
    ...(callingCode === undefined ? [] : ['--calling-code']),
    ...(encoding === undefined ? [] : ['--encoding']),
    ...(columns.length === 0 ? [] : ['--column']),
    ...composed.map(({ role, kind }) => (kind === undefined ? `--${role}` : '--kind')),
    ...(layout === 'rows' ? ['--no-header'] : []),
  ];
  if (chosen.length > 0) refuse(`${nameOf(file)} is not a spreadsheet, so ${chosen[0]} cannot be used`);
}

function nameOf(file: string): string {
  return file === STANDARD_INPUT ? 'standard input' : file;
}

/** Has the engine check a body as the service would. @throws UsageError when its style, which is that of `styleFile`, is wrong */
export async function checkWrittenBody(
  engine: Engine,
  { form, bodyPath, report }: WrittenBody,
  { spoolPath, ...rows }: Omit<SheetDraft, 'bodyPath'>,
  styleFile: StyleFile | undefined,
): Promise<CheckedInput> {
  try {
    return await (report === undefined
      ? checkDraft(engine, { bodyPath, form, spoolPath })
      : checkSpreadsheet(engine, report, { bodyPath, spoolPath, ...rows }));
  } catch (error) {
    if (styleFile !== undefined) refuseStyle(styleFile, error);
    throw error;
  }
}

/** @throws UsageError when the body was refused for its style */
function refuseStyle({ file }: StyleFile, error: unknown): void {
  const { issues = [] } = (error instanceof ApiError ? error.members : {}) as { issues?: Issue[] };
  const faults = issues
    // In NDJSON the settings are line 1.
    .filter(({ path, line = 1 }) => line === 1 && /^\/style(?:\/|$)/.test(path))
    .map(({ path, message }) => (path === '/style' ? message : `${path.slice('/style/'.length)}: ${message}`));
  if (faults.length > 0) refuse(`the style of ${file} is wrong: ${faults.join('; ')}`);
}

/** Names the first hundred faults, and says how many rows are left out. */
export function reportFaulty(
  { rows, problems, problemCount }: Omit<FaultyRows, 'good'>,
  { onNotice }: InputOptions,
): void {
  // The reading and the check list a hundred each.
  const first = problems.slice(0, LIMITS.issues);
  for (const { message } of first) onNotice?.(message);
  const rest = problemCount - first.length;
  if (rest > 0) onNotice?.(`and ${rest} more`);
  onNotice?.(rows === 1 ? '1 faulty row is skipped.' : `${rows} faulty rows are skipped.`);
}

/** Reports warnings: things that may keep codes from being scanned, or may be a mistake. */
export function reportWarnings({ warnings, total }: CheckedBody, { onNotice }: InputOptions): void {
  for (const { code, message, items, first } of warnings) {
    onNotice?.(`warning: ${message} (${code}: ${items} of ${counted(total, 'item')}, the first at index ${first})`);
  }
}

/** JSON begins with a brace. NDJSON also has an object on its first line, but does not end there. */
async function formByContent(path: string): Promise<InputForm> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    // To JavaScript, a byte order mark is white space.
    const head = buffer.subarray(0, bytesRead).toString().trimStart();
    if (!head.startsWith('{')) return 'spreadsheet';
    const end = head.indexOf('\n');
    const isAlone = end === -1 || head.slice(end).trim() === '';
    return !isAlone && head.slice(0, end).trimEnd().endsWith('}') ? 'ndjson' : 'json';
  } finally {
    await file.close();
  }
}

function meta(own: object, { format, style, verify }: BodyOverrides): object {
  return {
    ...own,
    ...(format !== undefined && { format }),
    ...(style !== undefined && { style: style.value }),
    ...(verify !== undefined && { verify }),
  };
}

async function override(
  { from, to }: { from: string; to: string },
  form: BodyForm,
  overrides: BodyOverrides,
): Promise<void> {
  const body = await readFile(from);
  const lineEnd = form === 'json' ? -1 : body.indexOf('\n');
  const end = lineEnd === -1 ? body.length : lineEnd;
  const own = objectOf(body.subarray(0, end));
  // Bytes that are not an object are kept, so that the check can point to the place.
  const settings = own === undefined ? body.subarray(0, end) : JSON.stringify(meta(own, overrides));
  await writeFile(to, Readable.from([settings, body.subarray(end)]));
}

function objectOf(text: Uint8Array): object | undefined {
  try {
    const value = jsonValue(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
