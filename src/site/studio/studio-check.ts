/** `/account/o/…/studio/check`: checks a chosen file before the job is paid. */

import type { RouterContext } from '@koa/router';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { type FaultyRows, SpreadsheetRefusal } from '../../jobs/intake/spreadsheet.js';
import type { FoundWarning } from '../../jobs/job.js';
import { placeOf } from '../../jobs/source-places.js';
import { MOST_SAMPLES, type PlacedItem, type SampleItem } from '../shell/draw-samples.js';
import { type Form, formOf } from '../shell/form.js';
import { forPeople, pageFormats } from '../shell/formats.js';
import { ItemNames } from '../shell/item-names.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';
import { type CheckedItems, checkItems, LINES, problemsOf, UnreadableItemsError } from './studio-body.js';
import type { ItemSource } from './item-source.js';
import { tableDoubt } from './rows-in-lines.js';
import { type TableQuestions, tableQuestions } from './table-questions.js';
import { SkipChoice, type SkipOffers } from './spreadsheet-choices.js';
import { jobMetaOf } from './studio-style.js';
import type { Sides } from './code-sides.js';
import { phoneActions } from './phone-actions.js';
import { beforeSizes } from './printed-width.js';
import { logoOf, sourceOf } from './studio-form.js';

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
  'askedFields',
  'linksColumn',
  'timesColumn',
  'asksForHeader',
  'hasNoHeader',
  'asksForEncoding',
  'asksForLinks',
  'asksForDates',
  'ambiguousDates',
  'asksForCountry',
  'nationalNumbers',
  'linkCells',
  'likelyKind',
  'asksForDay',
  'passwordlessNetworks',
  'proposedKind',
] as const;

/** Warnings that no other look takes away, but for the mark of UTF-8. */
const OF_DATA: ReadonlySet<string> = new Set<FoundWarning['code']>([
  'duplicate_data',
  'suspicious_data',
  'ambiguous_charset',
  'gs1_check_digit',
  'gs1_syntax',
]);

/** The check of a list without codes. */
const NOTHING = {
  total: 0,
  skipped: [],
  notices: [],
  warnings: [],
  logoRisks: [],
  dataWarnings: [],
  actions: '',
  items: [],
};

/** Codes that a sentence names, where there are no more. */
const MOST_NAMED = 10;

type Table = Pick<ReadSpreadsheetReport, (typeof TABLE)[number]>;

export interface StudioCheck extends SkipOffers {
  /** Number of codes in the file; 0 when it is refused. */
  total: number;
  problems: string[];
  /** The faults of the rows that are skipped. */
  skipped: string[];
  /** The file is none of a list, such as a picture or an empty one. */
  isNoList?: boolean;
  notices: string[];
  /** Warnings about the look: codes that may not scan. */
  warnings: string[];
  /** Those about a logo that hides too much. */
  logoRisks: string[];
  /** Warnings about the data: codes that may be a mistake. */
  dataWarnings: string[];
  /** The actions of phones on the codes. Empty where there are none. */
  actions: string;
  /** Modules across the narrowest and the widest code, without the quiet zone. */
  sides?: Sides;
  /** The first items that can be codes, for their pictures. */
  items: PlacedItem[];
  /** Set for a spreadsheet. */
  table?: Table & TableQuestions;
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
  const meta = beforeSizes(form, jobMetaOf(form, await logoOf(ctx, form, needs)));
  // The preview says what is wrong with the logo: the list is read without it.
  const problems = form.errors.filter(({ name }) => name !== 'logo').map(({ message }) => message);
  if (source === undefined || problems.length > 0) {
    return {
      ...NOTHING,
      problems,
      isNoList: form.error('file') !== undefined,
    };
  }
  await using draft = folder.drafts.create();
  const skip = new SkipChoice(ctx, form);
  // Rows that nobody chose to leave out: the others are shown all the same.
  let faulty: FaultyRows | undefined;
  let skipped: FaultyRows | undefined;
  const skips = (rows: FaultyRows) => {
    if (skip.skips(rows)) skipped = rows;
    else faulty = rows;
    return true;
  };
  try {
    const items = { holder: personOf(ctx).id, source, choices: skip.choices, meta, skips };
    const read = await checkItems(engine, ctx.res, items, draft);
    const { checked, report } = read;
    const names = new ItemNames(checked.sourcePlaces, pageFormats(ctx));
    const found = faulty ? [] : checked.warnings;
    const { ofLook, ofData } = byCause(found);
    const cutLogo = checked.cutLogo && !faulty ? [checked.cutLogo] : [];
    const sentences = (warnings: readonly Omit<FoundWarning, 'code'>[]) => warningsOf(warnings, checked.total, names);
    return {
      total: faulty ? 0 : checked.total,
      problems: faulty ? problemsOf(refusalOf(read, faulty), pageFormats(ctx)) : [],
      skipped: skipped ? problemsOf(refusalOf(read, skipped), pageFormats(ctx)) : [],
      notices: (report?.notices ?? []).filter((notice) => notice !== report?.rowsBelow),
      warnings: sentences([...ofLook, ...cutLogo]),
      logoRisks: sentences(found.filter(isOfLogo)),
      dataWarnings: [...rowDoubts(source, report), ...sentences(ofData)],
      actions: faulty ? '' : actionsOf(checked.actions, names),
      ...(checked.sides && { sides: checked.sides }),
      items: firstItems(read, names),
      ...(report && { table: tableOf(ctx, form, report) }),
      ...skip.answer(report),
    };
  } catch (error) {
    const report = error instanceof SpreadsheetRefusal ? error.report : undefined;
    const read = report && { table: tableOf(ctx, form, report), notices: report.notices };
    return {
      ...NOTHING,
      problems: problemsOf(error, pageFormats(ctx)),
      isNoList: isNoList(error),
      ...read,
      ...skip.answer(report),
    };
  }
}

/** The actions of phones on the codes of a list, in a sentence. */
export function actionsOf(actions: CheckedItems['checked']['actions'], names: ItemNames): string {
  return phoneActions(actions, { name: (item) => names.name(item), number: names.formats.number });
}

/** Sentences about rows that are perhaps meant otherwise. */
function rowDoubts(source: ItemSource, report: ReadSpreadsheetReport | undefined): string[] {
  if ('lines' in source) return tableDoubt(source.lines);
  return report?.rowsBelow === undefined ? [] : [report.rowsBelow];
}

function refusalOf(
  { report = LINES }: Partial<CheckedItems>,
  { problems, problemCount }: FaultyRows,
): SpreadsheetRefusal {
  return new SpreadsheetRefusal(report, problems, problemCount);
}

/** True where nothing of the file could be read, and no other encoding or sheet would help. */
export function isNoList(error: unknown): boolean {
  if (!(error instanceof SpreadsheetRefusal)) return error instanceof UnreadableItemsError;
  const { encoding, sheets, columns } = error.report;
  const isRead = encoding !== undefined || sheets.length > 1 || columns.length > 0;
  return !isRead && error.places.every(({ row }) => row === undefined);
}

/** Warnings that another look may take away, and those about the data. */
export function byCause<W extends Pick<FoundWarning, 'code'>>(warnings: readonly W[]): { ofLook: W[]; ofData: W[] } {
  const isOfData = ({ code }: W) => OF_DATA.has(code);
  return { ofLook: warnings.filter((warning) => !isOfData(warning)), ofData: warnings.filter(isOfData) };
}

/** The logo hides so much of codes that they may not scan. */
export function isOfLogo({ code }: Pick<FoundWarning, 'code'>): boolean {
  return code === 'logo_covers_too_much';
}

/** A sentence for each warning about the codes of a list. */
export function warningsOf(warnings: readonly Omit<FoundWarning, 'code'>[], total: number, names: ItemNames): string[] {
  return warnings.map((warning) => sentenceOf(warning, total, names));
}

function sentenceOf(
  { message, items, first, listed = [first] }: Omit<FoundWarning, 'code'>,
  total: number,
  names: ItemNames,
): string {
  const { number } = names.formats;
  const affected = `${number(items)} of ${number(total)} codes`;
  const which =
    items === total
      ? 'All codes are affected.'
      : items === 1
        ? `${affected} is affected: ${names.name(first)}.`
        : listed.length === items && items <= MOST_NAMED
          ? `${affected} are affected: ${names.list(listed)}.`
          : `${affected} are affected; the first is ${names.name(first)}.`;
  return `${forPeople(message)} ${which}`;
}

function tableOf(ctx: RouterContext, form: Form, report: ReadSpreadsheetReport): Table & TableQuestions {
  const members = Object.fromEntries(TABLE.map((name) => [name, report[name]])) as Table;
  return { ...members, ...tableQuestions(form, report, pageFormats(ctx)) };
}

/** The first items that are made. */
export function firstItems({ checked, rowsBeforeLine1, firstLines }: CheckedItems, names: ItemNames): PlacedItem[] {
  return Array.from({ length: MOST_SAMPLES }, (_, item) => item).flatMap((item) => {
    const place = placeOf(checked.sourcePlaces, item);
    const text = place === undefined ? undefined : firstLines[place - rowsBeforeLine1 - 1];
    return text === undefined ? [] : [{ ...(JSON.parse(text) as SampleItem), place: names.title(item) }];
  });
}
