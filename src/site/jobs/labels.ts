/** `/account/o/…/jobs/…/labels`: a job's codes on sheets of labels, and the choice of sheet and first free label. */

import type { RouterContext } from '@koa/router';
import { ApiError, type Issue } from '../../contract/errors.js';
import { type LabelLayout, labelLayout, type LabelParameters } from '../../contract/label-request.js';
import { GEOMETRY, LABEL_SHEETS, type LabelSheet } from '../../contract/label-sheets.js';
import { LabelsSchema } from '../../contract/query-schema.js';
import { untilGone } from '../../jobs/intake/check-draft.js';
import type { Job } from '../../jobs/job.js';
import type { Needs } from '../shell/page-dependencies.js';
import { findJob, holderOf, organisationPath } from '../shell/page-state.js';

const DEFAULT_SHEET = 'avery-l7160';

/** The most labels of a sheet that is drawn for choosing. */
const MOST_DRAWN = 300;

/** The most codes that the drawn sheet shows. */
const MOST_PICTURES = 24;

/** Sizes that only a sheet without a name takes. */
const OWN_SIZES = new Map<string | undefined, readonly string[]>([
  ['single', ['labelWidth', 'labelHeight']],
  ['custom', GEOMETRY],
]);

/** A label of the drawn sheet, in millimetres. */
interface DrawnLabel {
  x: number;
  y: number;
  number: number;
  state: 'used' | 'taken' | 'free';
  href: string;
  /** The picture of the label's code. */
  picture?: string;
}

export async function showLabels(ctx: RouterContext, needs: Needs<'jobs' | 'view' | 'admission'>): Promise<void> {
  const job = await findJob(ctx, needs);
  const fields = fieldsOf(ctx.query);
  const jobPath = `${organisationPath(job.organisationId)}/jobs/${job.id}`;
  const path = `${jobPath}/labels`;
  const { layout, remark, issues } = await checked(ctx, needs, { job, fields });
  needs.view.show(ctx, 'labels', {
    title: 'Labels',
    section: 'jobs',
    ...(issues.length > 0 && { status: 422 }),
    job,
    path,
    fields,
    makers: makers(),
    issues,
    remark,
    sheet: layout?.sheet,
    labels: layout === undefined ? [] : drawnLabels(layout, { jobPath, fields }),
  });
}

type Fields = Readonly<Record<string, string>>;

/** The fields of the form that are filled in. Phones of many countries write a comma in decimals. */
function fieldsOf(query: RouterContext['query']): Fields {
  const texts = Object.keys(LabelsSchema.properties).map((name) => [name, query[name]] as const);
  const given = texts.filter(
    (entry): entry is [(typeof entry)[0], string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const fields = given.map(([name, text]) => [name, text.trim().replace(/^(-?\d+),(\d{1,3})$/, '$1.$2')]);
  return { sheet: DEFAULT_SHEET, first: '1', ...Object.fromEntries(fields) };
}

/** The file that the form asks for: to be kept, or, with `show`, to be printed from the browser. */
export function labelRequest({ query }: RouterContext) {
  const disposition = query['show'] === '1' ? ('inline' as const) : ('attachment' as const);
  return { parameters: parametersOf(fieldsOf(query)), disposition };
}

/** The parameters that the chosen sheet has: the form keeps the sizes of the others. */
function parametersOf(fields: Fields): LabelParameters {
  const own = OWN_SIZES.get(fields['sheet']) ?? [];
  const others = OWN_SIZES.get('custom')?.filter((name) => !own.includes(name)) ?? [];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !others.includes(name)));
}

/** The layout that the form asks for, if there is one, and what is to be said about it. */
async function checked(
  ctx: RouterContext,
  { jobs, admission }: Needs<'jobs' | 'admission'>,
  { job, fields }: { job: Job; fields: Fields },
): Promise<{ layout?: LabelLayout; remark?: string | undefined; issues: readonly Issue[] }> {
  let layout: LabelLayout | undefined;
  try {
    layout = labelLayout(parametersOf(fields), job.total);
    const chosen = layout;
    const { remark } = await admission.admit('download', holderOf(ctx), () =>
      untilGone(ctx, (signal) => jobs.output.openLabels(job, chosen, signal)),
    );
    return { layout, remark, issues: [] };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_input') {
      return { ...(layout && { layout }), issues: (error.members['issues'] as Issue[] | undefined) ?? [] };
    }
    throw error;
  }
}

/** The sheets with a name, by maker. */
function makers(): { maker: string; sheets: readonly LabelSheet[] }[] {
  const names = [...new Set(LABEL_SHEETS.map(({ maker }) => maker))];
  return names.map((maker) => ({ maker, sheets: LABEL_SHEETS.filter((sheet) => sheet.maker === maker) }));
}

/** The labels of the first sheet, each a link that makes it the first free one. */
function drawnLabels(
  { sheet, used, firstItem, endItem, sizeUm }: LabelLayout,
  { jobPath, fields }: { jobPath: string; fields: Fields },
): DrawnLabel[] {
  const count = sheet.columns * sheet.rows;
  const total = endItem - firstItem;
  const query = (first: number) => new URLSearchParams({ ...fields, first: String(first) }).toString();
  return Array.from({ length: count > MOST_DRAWN ? 0 : count }, (_, label) => ({
    x: (sheet.leftUm + (label % sheet.columns) * (sheet.labelWidthUm + sheet.gapXUm)) / 1_000,
    y: (sheet.topUm + Math.floor(label / sheet.columns) * (sheet.labelHeightUm + sheet.gapYUm)) / 1_000,
    number: label + 1,
    state: label < used ? 'used' : label < used + total ? 'taken' : 'free',
    href: `${jobPath}/labels?${query(label + 1)}`,
    // The largest code that fits fills its label in the file too. How large a picture of another size is depends on its data.
    ...(sizeUm === undefined &&
      label >= used &&
      label < used + Math.min(total, MOST_PICTURES) && {
        picture: `${jobPath}/codes/${firstItem + label - used}`,
      }),
  }));
}
