/** `/account/o/…/jobs/…/labels`: a job's codes on sheets of labels, and the choice of sheet, start and look. */

import { Readable } from 'node:stream';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { answersUnchanged, sendBody } from '../../api/send-resource.js';
import type { Issue } from '../../contract/errors.js';
import { type ItemList, type LabelFit, LabelMisfit } from '../../contract/label-fit.js';
import {
  type ItemRange,
  itemCount,
  type LabelLayout,
  type LabelLook,
  labelLayout,
  type LabelParameters,
} from '../../contract/label-request.js';
import { GEOMETRY, LABEL_SHEETS, type LabelSheet } from '../../contract/label-sheets.js';
import { LIMITS } from '../../contract/limits.js';
import { LabelsSchema } from '../../contract/query-schema.js';
import { NOTHING_VERIFIED } from '../../engine/verify-chunk.js';
import { untilGone } from '../../jobs/intake/check-draft.js';
import { MOST_DRAWN } from '../../jobs/files/label-picture.js';
import { type Job, titleOf } from '../../jobs/job.js';
import type { JobOutput } from '../../jobs/job-output.js';
import { entityTagOf } from '../../platform/entity-tag.js';
import { Form, seeOther } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import { ItemNames } from '../shell/item-names.js';
import { millimetres } from '../shell/millimetres.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf, organisationPath } from '../shell/page-state.js';
import {
  type Fitting,
  fittingSize,
  fittingTexts,
  isInvalid,
  type Larger,
  largerCodes,
  remediesOfBroken,
} from './label-remedies.js';
import { itemsOfRows, leavingOut, namedTwice, numbersOf, rowsOfItems, unitOfRows } from './label-rows.js';
import { gapsLeftOut, shownFit } from './shown-fit.js';
import { FIELDS, refuseFields } from './label-words.js';

const DEFAULT_SHEET = 'avery-l7160';

/** Sizes that only a sheet without a name takes. */
const OWN_SIZES = new Map<string | undefined, readonly string[]>([
  ['single', ['labelWidth', 'labelHeight']],
  ['custom', GEOMETRY],
]);

/** Fields without which there is no sheet. */
const NEEDED: ReadonlySet<string> = new Set(['sheet', ...GEOMETRY]);

/** Fields that choose the codes. */
const CHOOSING = ['printRows', 'from', 'to'];

const ROWS_OF = { row: 'Rows of your list', line: 'Lines of your list', code: 'Codes' } as const;
const ROWS_TO_PRINT = { row: 'Rows', line: 'Lines', code: 'Codes' } as const;

/** The size of the page, before a person types one of their own. */
const A4 = { pageWidth: '210', pageHeight: '297' };

/** A label of the drawn sheet, in millimetres. */
interface DrawnLabel {
  x: number;
  y: number;
  number: number;
  state: 'used' | 'taken' | 'free';
  href: string;
}

type LabelsPage = Needs<'jobs' | 'jobReports' | 'view' | 'admission'>;

export async function showLabels(ctx: RouterContext, needs: LabelsPage): Promise<void> {
  const job = await findJob(ctx, needs);
  if (job.status !== 'complete') {
    // There it is seen how far the job is. Once it is complete, it leads back.
    seeOther(ctx, `${organisationPath(job.organisationId)}/jobs/${job.id}?then=labels`);
    return;
  }
  const fields = fieldsOf(ctx.query);
  const path = `${organisationPath(job.organisationId)}/jobs/${job.id}/labels`;
  const form = new Form(fields);
  const corrections = await needs.jobReports.corrections(job);
  const { layout, fit, misfit, misfits, isPale, ...found } = await checked(ctx, needs, { job, fields, form });
  needs.view.show(ctx, 'labels', {
    title: 'Labels',
    section: 'jobs',
    form,
    job,
    gaps: job.failed > 0 ? await needs.jobReports.gaps(job.id) : [],
    path,
    fields: fields['sheet'] === 'custom' ? fields : { ...A4, ...fields },
    rows: fields['printRows'] ?? (layout && rowsOfItems(layout.items, job)),
    // Margins and gaps may be left out.
    isUntyped: (OWN_SIZES.get(fields['sheet']) ?? []).some((name) => !/^(?:left|top|gap)/.test(name) && !fields[name]),
    names: { ...FIELDS, printRows: `${ROWS_TO_PRINT[unitOfRows(job)]} to print` },
    rowNumbers: numbersOf(job),
    rowsName: ROWS_OF[unitOfRows(job)],
    makers: makers(),
    titleOf,
    corrections,
    // None where it is not known what is on the labels.
    twice: layout && namedTwice(fields['printRows'] ?? '', job),
    unread: unreadOf(job, layout),
    correctedHere: layout && corrections.filter(({ correctedItem: item }) => isOn(layout, item)),
    leaveOut: (items: readonly ItemRange[]) => layout && addressWithout(items, { layout, job, path, fields }),
    freeLabels: layout && freeLabels(layout, fields),
    codes: new ItemNames(job.sourcePlaces, pageFormats(ctx)),
    misfit,
    misfits,
    isPale,
    sheet: layout?.sheet,
    gapsLeftOut: layout && gapsLeftOut(layout, fields),
    // Without its codes where they do not fit.
    picture: fit && `${path}.svg?${new URLSearchParams(fields).toString()}`,
    // Undefined where the drawing has all codes of the first sheet.
    mostDrawn:
      layout && Math.min(itemCount(layout), labelsOf(layout) - layout.used) > MOST_DRAWN ? MOST_DRAWN : undefined,
    labels: layout === undefined ? [] : drawnLabels(layout, path, fields),
    sheets: layout && Math.ceil((layout.used + itemCount(layout)) / labelsOf(layout)),
    ...offersOf(found, { layout, job, path, fields }),
    smallPoints: layout && smallPoints(layout),
    legiblePoints: LIMITS.labelCaptionPt.legible,
    fit: fit && layout && shownFit(fit, { ...found, layout, isSheet: fields['sheet'] !== 'single' }),
  });
}

type Fields = Readonly<Record<string, string>>;

/** Fields that count, or measure letters. The others that have a number are lengths. */
const NO_LENGTHS = new Set(['printRows', 'first', 'from', 'to', 'columns', 'rows', 'captionSize']);

/** The fields of the form that are filled in. Phones of many countries write a comma in decimals, and people write a unit. */
function fieldsOf(query: RouterContext['query']): Fields {
  const names = ['printRows', ...Object.keys(LabelsSchema.properties)];
  const texts = names.map((name) => [name, query[name]] as const);
  const given = texts.filter(
    (entry): entry is [(typeof entry)[0], string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const fields = given.map(([name, text]) => [
    name,
    name === 'printRows' ? text.trim() : plainNumber(name, text.trim()),
  ]);
  return { sheet: DEFAULT_SHEET, first: '1', ...Object.fromEntries(fields) };
}

/** A number with a point and without its unit, in millimetres where it is a length. Another text stays as it is. */
function plainNumber(name: string, text: string): string {
  const number = text.replace(/^(-?\d+),(\d{1,3})(?!\d)/, '$1.$2');
  if (name === 'captionSize') {
    return number.replace(/(?<=\d)\s*(?:pt|points?)$/i, '');
  }
  const [, minus = '', length = ''] = NO_LENGTHS.has(name) ? [] : (/^(-?)(\d.*\D)$/.exec(number) ?? []);
  const mm = millimetres(length);
  return mm === 0 ? number : `${minus}${Math.round(mm * 1_000) / 1_000}`;
}

/** The file that the form asks for: to be kept, or to be printed from the browser: with `show` all labels, with `test` one. */
export function labelRequest({ query }: RouterContext, job: Job) {
  const { show, test } = query;
  const parameters = parametersOf(fieldsOf(query), job);
  return {
    parameters,
    isTest: test !== undefined,
    scanning: test === undefined ? undefined : scanningOf(labelLayout(parameters, job.total), job),
    disposition: show === undefined && test === undefined ? ('attachment' as const) : ('inline' as const),
  };
}

/** Sends the file, or shows the form with what is wrong. @param send the sender of the API */
export function sendLabels(send: RouterMiddleware, needs: LabelsPage): RouterMiddleware {
  return async (ctx, next) => {
    try {
      await send(ctx, next);
    } catch (error) {
      if (!isInvalid(error)) {
        throw error;
      }
      await showLabels(ctx, needs);
    }
  };
}

/** The first sheet as a picture. */
export async function sendFirstSheet(ctx: RouterContext, { jobs, admission }: Needs<'jobs' | 'admission'>) {
  const job = await findJob(ctx, { jobs });
  const layout = labelLayout(parametersOf(fieldsOf(ctx.query), job), job.total);
  if (answersUnchanged(ctx, { etag: entityTagOf(`sheet ${job.id} ${JSON.stringify(layout)}`) })) {
    return;
  }
  const picture = await admission.admit('download', holderOf(ctx), () => jobs.output.firstSheet(job, layout));
  await sendBody(ctx, () => Readable.from([picture]), { 'Content-Type': 'image/svg+xml' });
}

/**
 * The parameters that the chosen sheet has: the form keeps those of the others. @throws ApiError `invalid_input` at `printRows`
 */
function parametersOf({ printRows, ...fields }: Fields, job: Job): LabelParameters {
  const own = OWN_SIZES.get(fields['sheet']) ?? [];
  const others = (OWN_SIZES.get('custom') ?? []).filter((name) => !own.includes(name));
  if (fields['sheet'] === 'single') {
    others.push('first', 'cutMarks');
  }
  if (printRows === undefined) {
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !others.includes(name)));
  }
  others.push('from', 'to');
  const parameters = Object.entries(fields).filter(([name]) => !others.includes(name));
  const ranges = itemsOfRows(printRows, job).map(({ firstItem, endItem }) => `${firstItem}-${endItem - 1}`);
  return { ...Object.fromEntries(parameters), items: ranges.join(',') };
}

/** The size of texts that many people cannot read. */
function smallPoints({ caption, captionSizeTenths = Infinity }: LabelLayout): number | undefined {
  const points = captionSizeTenths / 10;
  return caption !== 'none' && points < LIMITS.labelCaptionPt.legible ? points : undefined;
}

function isOn({ items }: LabelLayout, item: number): boolean {
  return items.some(({ firstItem, endItem }) => firstItem <= item && item < endItem);
}

/** The codes of the job that do not scan; undefined where there are none. */
function unreadOf({ verification }: Job, layout: LabelLayout | undefined) {
  const { unread: count, unreadItems: listed } = verification ?? NOTHING_VERIFIED;
  // Those on the labels. Unknown where not all are listed.
  const here = layout && listed.length === count ? listed.filter((item) => isOn(layout, item)) : undefined;
  return count === 0 ? undefined : { count, here };
}

/** The codes on the labels that scan, where some do and others do not. */
function scanningOf(layout: LabelLayout, { verification }: Job): ItemRange[] | undefined {
  const unread = verification?.unreadItems.filter((item) => isOn(layout, item)) ?? [];
  const left = leavingOut(
    layout.items,
    unread.map((item) => ({ firstItem: item, endItem: item + 1 })),
  );
  return unread.length === 0 || left.length === 0 ? undefined : left;
}

/** The page without some items. Undefined where none would be left, or a list could not name the others. */
function addressWithout(
  items: readonly ItemRange[],
  { layout, job, path, fields }: { layout: LabelLayout; job: Job; path: string; fields: Fields },
): string | undefined {
  const left = leavingOut(layout.items, items);
  const { from: _from, to: _to, ...others } = fields;
  const query = new URLSearchParams({ ...others, printRows: rowsOfItems(left, job) });
  return left.length === 0 || left.length > LIMITS.labelRanges ? undefined : `${path}?${query.toString()}`;
}

/** The choices that are offered, each with the address of the page with it. */
function offersOf(
  { fitting = [], larger = [] }: Pick<Checked, 'fitting' | 'larger'>,
  { layout, job, path, fields }: { layout: LabelLayout | undefined; job: Job; path: string; fields: Fields },
) {
  const address = (changed: Fields) => `${path}?${new URLSearchParams({ ...fields, ...changed }).toString()}`;
  return {
    fitting: fitting.map(({ name, value }) => ({ name, value, href: address({ [name]: value }) })),
    larger: larger.map(({ widthMm, caption, leaving }) => ({
      widthMm,
      caption,
      leaving,
      href:
        leaving && layout
          ? addressWithout(leaving.ranges, { layout, job, path, fields: { ...fields, size: String(widthMm) } })
          : address({ caption: caption ?? '' }),
    })),
  };
}

type Opened = ReturnType<JobOutput['openLabels']>;

interface Checked {
  layout?: LabelLayout;
  fit?: LabelFit;
  look?: LabelLook;
  remedies?: string[];
  fitting?: Fitting[];
  larger?: Larger[];
  /** The code that is printed as a test, where the one with the narrowest modules does not scan. */
  tested?: number | undefined;
  misfit?: number;
  misfits?: ItemList;
  isPale?: boolean;
}

/** The layout that the form asks for, and how the codes fit, or one that does not, and all of those. Records in the form what is wrong. */
async function checked(
  ctx: RouterContext,
  { jobs, admission }: Needs<'jobs' | 'admission'>,
  { job, fields, form }: { job: Job; fields: Fields; form: Form },
): Promise<Checked> {
  const sheet = LABEL_SHEETS.find(({ name }) => name === fields['sheet']);
  const count = (sheet?.columns ?? Number(fields['columns'])) * (sheet?.rows ?? Number(fields['rows']));
  const labels = Number.isInteger(count) ? count : undefined;
  const names = new ItemNames(job.sourcePlaces, pageFormats(ctx));
  const unseen = unseenSizes(ctx, fields);
  const opening = <T>(work: (open: (layout: LabelLayout) => Opened) => Promise<T>) =>
    admission.admit('download', holderOf(ctx), () =>
      untilGone(ctx, (signal) => work((layout) => jobs.output.openLabels(job, layout, signal))),
    );
  for (let left = fields; ; ) {
    let layout: LabelLayout | undefined;
    try {
      layout = labelLayout(parametersOf(left, job), job.total);
      const chosen = layout;
      const found = await opening(async (open) => {
        const { fit, look } = await open(chosen);
        const remedies = await remediesOfBroken({ ...chosen, caption: look.caption }, fit, open);
        const fitting = await fittingSize(chosen, { fit, look }, open);
        const scanning = scanningOf(chosen, job);
        const tested = scanning && (await open({ ...chosen, items: scanning })).fit.narrowestItem;
        return { fit, look, remedies, fitting, tested, larger: await largerCodes(chosen, { fit, look }, open) };
      });
      return left === fields ? { layout, ...found } : {};
    } catch (error) {
      if (!isInvalid(error)) {
        throw error;
      }
      const codes = layout && itemCount(layout);
      const areChosen = CHOOSING.every((name) => left[name] === fields[name]);
      if (
        left === fields ||
        !(error instanceof LabelMisfit) ||
        error.items.count === codes ||
        (areChosen && error.misfit.kind !== 'cut')
      ) {
        refuseFields(form, error, { names, labels, codes, unseen });
      }
      const wrong = ((error.members['issues'] ?? []) as Issue[]).map(({ path }) => path.slice(1));
      const others = Object.entries(left).filter(([name]) => !wrong.includes(name));
      if (layout !== undefined || wrong.some((name) => !(name in left) || NEEDED.has(name))) {
        const { misfit } = error instanceof LabelMisfit ? error : {};
        const items = misfit && 'item' in misfit && { misfit: misfit.item, misfits: (error as LabelMisfit).items };
        const refused = left === fields && layout !== undefined && error instanceof LabelMisfit ? layout : undefined;
        const fitting = refused && (await opening((open) => fittingTexts(refused, error as LabelMisfit, open)));
        return left === fields
          ? { ...(layout && { layout }), isPale: misfit?.kind === 'pale', ...items, ...(fitting && { fitting }) }
          : {};
      }
      // Other fields that are wrong are named at once.
      left = Object.fromEntries(others);
    }
  }
}

/** Sizes whose fields were not on the page that the form was sent from, which has no scripts. */
function unseenSizes({ query }: RouterContext, { sheet }: Fields): readonly string[] {
  const shown = query['shown'];
  if (shown === undefined || shown === sheet) {
    return [];
  }
  const seen = OWN_SIZES.get(String(shown)) ?? [];
  return (OWN_SIZES.get(sheet) ?? []).filter((name) => !seen.includes(name));
}

/** The labels after the last code once some are left out, from the first on: their numbers, and the choices that begin there. */
function freeLabels(layout: LabelLayout, { from: _from, to: _to, printRows: _rows, ...fields }: Fields) {
  return (place: number, left: number) => {
    const number = ((layout.used + itemCount(layout) - left + place) % labelsOf(layout)) + 1;
    return { number, query: String(new URLSearchParams({ ...fields, first: String(number) })) };
  };
}

/** The sheets with a name, by maker and size of the label. */
function makers(): { maker: string; sheets: readonly LabelSheet[] }[] {
  const names = [...new Set(LABEL_SHEETS.map(({ maker }) => maker))];
  const bySize = LABEL_SHEETS.toSorted((a, b) => a.labelWidth - b.labelWidth || a.labelHeight - b.labelHeight);
  return names.map((maker) => ({ maker, sheets: bySize.filter((sheet) => sheet.maker === maker) }));
}

function labelsOf({ sheet }: LabelLayout): number {
  return sheet.columns * sheet.rows;
}

/** The labels of the first sheet, each a link that makes it the first free one. */
function drawnLabels(layout: LabelLayout, path: string, fields: Fields): DrawnLabel[] {
  const { sheet, used } = layout;
  const count = labelsOf(layout);
  const taken = used + itemCount(layout);
  const query = (first: number) => new URLSearchParams({ ...fields, first: String(first) }).toString();
  return Array.from({ length: count > MOST_DRAWN ? 0 : count }, (_, label) => ({
    x: (sheet.leftUm + (label % sheet.columns) * (sheet.labelWidthUm + sheet.gapXUm)) / 1_000,
    y: (sheet.topUm + Math.floor(label / sheet.columns) * (sheet.labelHeightUm + sheet.gapYUm)) / 1_000,
    number: label + 1,
    state: label < used ? 'used' : label < taken ? 'taken' : 'free',
    href: `${path}?${query(label + 1)}`,
  }));
}
