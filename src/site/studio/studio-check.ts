/** `/account/o/…/studio/check`: checks a chosen file before the job is paid. */

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { RouterContext } from '@koa/router';
import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { Warning } from '../../contract/response-schema.js';
import type { CheckedBody, ReadSpreadsheetReport } from '../../engine/engine.js';
import { SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import { MOST_SAMPLES, type PlacedItem, type SampleItem } from '../shell/draw-samples.js';
import { formOf } from '../shell/form.js';
import { type Formats, pageFormats, forPeople } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { isSpreadsheet } from './item-source.js';
import { checkItems, problemsOf } from './studio-body.js';
import { SkipChoice, type SkipOffer } from './spreadsheet-choices.js';
import { jobMetaOf } from './studio-style.js';
import { logoOf, sourceOf } from './studio-form.js';

/** Bytes of a body that are searched for the first items. The first line may contain a logo. */
const HEAD_BYTES = 1_000_000;

/** The members of a report that the page asks its questions by. */
const TABLE = [
  'sheet',
  'sheets',
  'fittingSheets',
  'encoding',
  'columns',
  'firstRows',
  'asksForColumns',
  'asksForField',
  'asksForHeader',
  'asksForLinks',
  'linkCells',
  'proposedKind',
] as const;

export interface StudioCheck {
  /** Number of codes in the file; 0 when it is refused. */
  total: number;
  problems: string[];
  notices: string[];
  /** Warnings: codes that may not scan, or may be a mistake. */
  warnings: string[];
  /** Modules across the narrowest and the widest code, with the quiet zone. */
  modules?: { least: number; most: number };
  /** Rows that are left out, or may be. */
  faulty?: SkipOffer;
  /** The first items, for their pictures. */
  items: PlacedItem[];
  /** Set for a spreadsheet. */
  table?: Pick<ReadSpreadsheetReport, (typeof TABLE)[number]>;
}

/** Reads the file as a job would, without storing anything. Returns JSON. */
export async function checkStudio(
  ctx: RouterContext,
  needs: Needs<'folder' | 'engine' | 'jobs' | 'styles'>,
): Promise<void> {
  ctx.body = await check(ctx, needs);
}

async function check(ctx: RouterContext, needs: Needs<'folder' | 'engine' | 'jobs' | 'styles'>): Promise<StudioCheck> {
  const { folder, engine } = needs;
  const form = formOf(ctx);
  const source = sourceOf(ctx, form);
  const meta = jobMetaOf(form, await logoOf(ctx, form, needs));
  const nothing = { total: 0, notices: [], warnings: [], items: [] };
  if (source === undefined || !form.isValid) {
    return { ...nothing, problems: form.errors.map(({ message }) => message) };
  }
  await using draft = folder.drafts.create();
  const skip = new SkipChoice(ctx, form);
  try {
    const { skips, choices } = skip;
    const items = { holder: personOf(ctx).id, source, choices, meta, skips };
    const { checked, report, rowsBeforeLine1 } = await checkItems(engine, ctx.res, items, draft);
    const some = checked.warnings.filter(({ items: affected }) => affected < checked.total);
    const lines = await linesOf(draft.bodyPath, checked.skipped, new Set(some.map(({ first }) => first)));
    const { number } = pageFormats(ctx);
    const placeAt = (line: number) => `${isSpreadsheet(source) ? 'Row' : 'Line'} ${number(line + rowsBeforeLine1)}`;
    const placeOf = (item: number) => {
      const line = lines.get(item);
      return line === undefined ? `code ${number(item + 1)}` : placeAt(line).toLowerCase();
    };
    return {
      total: checked.total,
      problems: [],
      notices: report?.notices ?? [],
      warnings: checked.warnings.map((warning) => sentenceOf(warning, checked.total, pageFormats(ctx), placeOf)),
      ...(checked.sides && { modules: withQuietZone(checked.sides, meta) }),
      items: await firstItems(draft.bodyPath, checked.skipped, placeAt),
      ...(report && { table: tableOf(report) }),
      ...skip.answer,
    };
  } catch (error) {
    const problems = problemsOf(error);
    const table = error instanceof SpreadsheetRefusal && { table: tableOf(error.report) };
    return { ...nothing, problems, ...table, ...skip.answer };
  }
}

function withQuietZone({ least, most }: { least: number; most: number }, { style = {} }: JobMeta) {
  const both = 2 * (style.margin ?? LIMITS.margin.default);
  return { least: least + both, most: most + both };
}

/** `placeOf` says where an item stands in the person's file. */
function sentenceOf(
  { message, items, first }: Warning,
  total: number,
  { number }: Formats,
  placeOf: (item: number) => string,
): string {
  const affected = `${number(items)} of ${number(total)} codes`;
  const which =
    items === total
      ? 'All codes are affected.'
      : items === 1
        ? `${affected} is affected: ${placeOf(first)}.`
        : `${affected} are affected; the first is ${placeOf(first)}.`;
  return `${forPeople(message)} ${which}`;
}

function tableOf(report: ReadSpreadsheetReport): NonNullable<StudioCheck['table']> {
  return Object.fromEntries(TABLE.map((name) => [name, report[name]])) as NonNullable<StudioCheck['table']>;
}

/** The items of a body that are left out, by their lines. */
function faultyLines(skipped: CheckedBody['skipped']): { faulty: Set<number | undefined>; end: number } {
  const { issues = [], issueCount = 0 } = skipped ?? {};
  // Behind the last fault that is listed there may be others.
  const end = issueCount > issues.length ? (issues.at(-1)?.line ?? 0) : Number.POSITIVE_INFINITY;
  return { faulty: new Set(issues.map(({ line }) => line)), end };
}

/** The lines of the body on which these items stand. Items are counted without those that are left out. */
async function linesOf(
  bodyPath: string,
  skipped: CheckedBody['skipped'],
  items: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const { faulty, end } = faultyLines(skipped);
  const found = new Map<number, number>();
  let [line, item, bytes] = [1, 0, 0];
  const endLine = () => {
    // Blank lines may end in a carriage return.
    if (line > 1 && bytes > 1 && !faulty.has(line)) {
      if (items.has(item)) found.set(item, line);
      item += 1;
    }
    [line, bytes] = [line + 1, 0];
  };
  if (items.size === 0) return found;
  for await (const block of createReadStream(bodyPath, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, start)) {
      bytes += at - start;
      start = at + 1;
      endLine();
      if (found.size === items.size || line >= end) return found;
    }
    bytes += block.length - start;
  }
  endLine();
  return found;
}

/** The first items of the body that are made. */
async function firstItems(
  bodyPath: string,
  skipped: CheckedBody['skipped'],
  placeAt: (line: number) => string,
): Promise<PlacedItem[]> {
  const { faulty, end } = faultyLines(skipped);
  const body = await open(bodyPath);
  try {
    const { bytesRead, buffer } = await body.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    // The last line of a body need not end; that of a longer body's head may be cut.
    const whole = bytesRead < HEAD_BYTES ? bytesRead : buffer.lastIndexOf('\n');
    const lines = buffer.subarray(0, whole).toString().split('\n').slice(1);
    const items: PlacedItem[] = [];
    for (const [index, text] of lines.entries()) {
      const line = index + 2;
      if (line >= end || items.length === MOST_SAMPLES) break;
      if (text.trim() !== '' && !faulty.has(line)) {
        items.push({ ...(JSON.parse(text) as SampleItem), place: placeAt(line) });
      }
    }
    return items;
  } finally {
    await body.close();
  }
}
