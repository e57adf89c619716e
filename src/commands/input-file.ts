/** An input file as a request body: a JSON or NDJSON body as it is, or a spreadsheet that the engine reads. */

import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyForm, CheckedBody, Engine, SpreadsheetChoices } from '../engine/engine.js';
import { checkDraft } from '../intake/check-draft.js';
import { checkSpreadsheet, PLAIN_CHOICES, readSpreadsheet } from '../intake/spreadsheet.js';

/** Standard input, as a file name. */
const STANDARD_INPUT = '-';

export interface BodyOverrides {
  /** Replaces the body's own `format`. */
  format?: string;
  /** JSON text that replaces the body's own `style`. */
  style?: string;
}

export interface InputOptions extends BodyOverrides {
  spreadsheet?: SpreadsheetChoices;
  /** Called with each sentence about a spreadsheet that does not prevent a job. */
  onNotice?: (notice: string) => void;
}

/** A body that is fit to become a job. */
export interface CheckedInput {
  form: BodyForm;
  bodyPath: string;
  spoolPath: string;
  checked: CheckedBody;
}

type InputForm = BodyForm | 'spreadsheet';

const FORMS: Readonly<Record<string, InputForm>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'spreadsheet',
  '.tsv': 'spreadsheet',
  '.xlsx': 'spreadsheet',
};

/** Bytes that tell the form of a file whose name does not: more than line 1 of any body has. */
const HEAD_BYTES = 1_000_000;

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

export function contentTypeOf(form: BodyForm): (typeof CONTENT_TYPES)[BodyForm] {
  return CONTENT_TYPES[form];
}

/** Before anything is done for it. @throws Error where there is no such file, or a folder */
export async function requireFile(file: string): Promise<void> {
  if (file !== STANDARD_INPUT && (await stat(file)).isDirectory()) {
    throw new Error(`${file} is a folder, and not a file of items`);
  }
}

/**
 * Writes the request body that `file` (`-` is standard input) stands for into `folder`, and checks it.
 *
 * @throws ApiError as the service would answer it; SpreadsheetRefusal
 */
export async function checkInput(
  engine: Engine,
  file: string,
  options: InputOptions,
  folder: string,
): Promise<CheckedInput> {
  const [bodyPath, spoolPath] = [join(folder, 'body'), join(folder, 'spool')];
  let path = file;
  if (file === STANDARD_INPUT) {
    path = join(folder, 'input');
    await pipeline(process.stdin, createWriteStream(path));
  }
  const inputForm = FORMS[extname(file).toLowerCase()] ?? (await formByContent(path));
  if (inputForm === 'spreadsheet') {
    const request = { path, choices: options.spreadsheet ?? PLAIN_CHOICES, meta: meta({}, options), bodyPath };
    const report = await readSpreadsheet(engine, request);
    const checked = await checkSpreadsheet(engine, report, { bodyPath, spoolPath });
    for (const notice of report.notices) options.onNotice?.(notice);
    return { form: 'ndjson', bodyPath, spoolPath, checked };
  }
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), createWriteStream(bodyPath));
  if (options.format !== undefined || options.style !== undefined) await override(bodyPath, inputForm, options);
  const checked = await checkDraft(engine, { bodyPath, form: inputForm, spoolPath });
  return { form: inputForm, bodyPath, spoolPath, checked };
}

/** JSON begins with a brace. NDJSON has an object on its first line, and does not end there. */
async function formByContent(path: string): Promise<InputForm> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer
      .subarray(0, bytesRead)
      .toString()
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (!head.startsWith('{')) return 'spreadsheet';
    const end = head.indexOf('\n');
    const isAlone = end === -1 || head.slice(end).trim() === '';
    return !isAlone && head.slice(0, end).trimEnd().endsWith('}') ? 'ndjson' : 'json';
  } finally {
    await file.close();
  }
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
    // A text that is not JSON is left as it is, for the check to point to the place.
    return;
  }
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return;
  await writeFile(bodyPath, Readable.from([JSON.stringify(meta(own, overrides)), body.subarray(end)]));
}
