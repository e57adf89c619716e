/** `/account/o/…/studio/check`: checks a chosen file before the job is paid. */

import { open } from 'node:fs/promises';
import type { RouterContext } from '@koa/router';
import type { Warning } from '../../contract/response-schema.js';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { MOST_SAMPLES, type SampleItem } from './draw-samples.js';
import { formOf } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { personOf } from '../page-state.js';
import { logoOf, sourceOf } from './studio.js';
import { checkItems, problemsOf } from './studio-body.js';
import { spreadsheetChoicesOf } from './spreadsheet-choices.js';
import { jobMetaOf } from './studio-style.js';

/** Bytes of a body that are searched for the first items. The first line may contain a logo. */
const HEAD_BYTES = 1_000_000;

export interface StudioCheck {
  /** Number of codes in the file; 0 when it is refused. */
  total: number;
  problems: string[];
  notices: string[];
  /** Warnings: codes that may not scan, or may be a mistake. */
  warnings: string[];
  /** Printed width of the pictures, when the style has a resolution. */
  printedWidthMm?: { minimum: number; maximum: number };
  /** The first items, for their pictures. */
  items: SampleItem[];
  /** Set for a spreadsheet. */
  table?: Pick<
    ReadSpreadsheetReport,
    'sheet' | 'sheets' | 'columns' | 'firstRows' | 'asksForColumns' | 'asksForHeader'
  >;
}

/** Reads the file as a job would, without storing anything. Returns JSON. */
export async function checkStudio(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  ctx.body = await check(ctx, dependencies);
}

async function check(ctx: RouterContext, dependencies: PageDependencies): Promise<StudioCheck> {
  const { folder, engine } = dependencies;
  const form = formOf(ctx);
  const source = sourceOf(ctx, form);
  const meta = jobMetaOf(form, await logoOf(ctx, form, dependencies));
  const nothing = { total: 0, notices: [], warnings: [], items: [] };
  if (source === undefined || !form.isValid) {
    return { ...nothing, problems: form.errors.map(({ message }) => message) };
  }
  await using draft = folder.drafts.create();
  try {
    const items = { holder: personOf(ctx).id, source, choices: spreadsheetChoicesOf(form), meta };
    const { checked, report } = await checkItems(engine, ctx.res, items, draft);
    return {
      total: checked.total,
      problems: [],
      notices: report?.notices ?? [],
      warnings: checked.warnings.map((warning) => sentenceOf(warning, checked.total)),
      ...(checked.printedWidthMm && { printedWidthMm: checked.printedWidthMm }),
      items: await firstItems(draft.bodyPath),
      ...(report && { table: tableOf(report) }),
    };
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) {
      throw error;
    }
    return { ...nothing, problems, ...(error instanceof SpreadsheetRefusal && { table: tableOf(error.report) }) };
  }
}

function sentenceOf({ message, items, first }: Warning, total: number): string {
  const affected = `${items} of ${total} codes`;
  const which =
    items === total
      ? 'All codes are affected.'
      : items === 1
        ? `${affected} is affected: code ${first + 1}.`
        : `${affected} are affected; the first is code ${first + 1}.`;
  return `${forPeople(message)} ${which}`;
}

/** A message of the API with the words of the form. */
export function forPeople(message: string): string {
  return message.replaceAll('ecLevel', 'error correction');
}

function tableOf(report: ReadSpreadsheetReport): NonNullable<StudioCheck['table']> {
  const { sheet, sheets, columns, firstRows, asksForColumns, asksForHeader } = report;
  return { ...(sheet !== undefined && { sheet }), sheets, columns, firstRows, asksForColumns, asksForHeader };
}

async function firstItems(bodyPath: string): Promise<SampleItem[]> {
  const body = await open(bodyPath);
  try {
    const { bytesRead, buffer } = await body.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const lines = buffer.subarray(0, bytesRead).toString().split('\n').slice(1, -1);
    const items = lines.filter((line) => line.trim() !== '').slice(0, MOST_SAMPLES);
    return items.map((line) => JSON.parse(line) as SampleItem);
  } finally {
    await body.close();
  }
}
