/**
 * The sheets of labels that have a name, in millimetres.
 *
 * Sizes and numbers of labels are those that the makers print on their packs and name on their product pages (avery.co.uk,
 * avery.com, avery-zweckform.com, herma.de), gaps and margins those of their templates. Where no margin is given, the labels stand
 * in the middle of the page.
 */

import type { XStatic } from 'typebox/schema';

const length = (description: string) => ({ type: 'number', description: `${description}, in mm.` }) as const;
const count = (description: string) => ({ type: 'integer', minimum: 1, description }) as const;

/** The place of captions: `auto` is beside the code on wide labels, if the caption has room there, else below it. */
export const CAPTION_PLACES = ['below', 'beside', 'none', 'auto'] as const;
export type CaptionPlace = (typeof CAPTION_PLACES)[number];

/** Members of a sheet that say where its labels are. Requests for a sheet of one's own have them too. */
export const GEOMETRY = [
  'pageWidth',
  'pageHeight',
  'labelWidth',
  'labelHeight',
  'columns',
  'rows',
  'left',
  'top',
  'gapX',
  'gapY',
] as const;

const LabelSheetSchema = {
  type: 'object',
  title: 'LabelSheet',
  description: 'A sheet of labels: a page with labels in columns and rows.',
  required: ['name', 'maker', 'product', ...GEOMETRY],
  properties: {
    name: { type: 'string', description: 'The value of `sheet`.' },
    maker: { type: 'string' },
    product: { type: 'string', description: "The maker's number." },
    pageWidth: length('Width of the page'),
    pageHeight: length('Height of the page'),
    labelWidth: length('Width of a label'),
    labelHeight: length('Height of a label'),
    columns: count('Labels beside one another.'),
    rows: count('Labels below one another.'),
    left: length('From the left edge of the page to the first label'),
    top: length('From the top edge of the page to the first label'),
    gapX: length('Between two labels beside one another'),
    gapY: length('Between two labels below one another'),
  },
} as const;
export type LabelSheet = XStatic<typeof LabelSheetSchema>;

/** Columns and rows of labels on a page. */
export type SheetGeometry = Omit<LabelSheet, 'name' | 'maker' | 'product'>;

export const LabelSheetListSchema = {
  type: 'object',
  title: 'LabelSheetList',
  required: ['sheets'],
  properties: { sheets: { type: 'array', items: LabelSheetSchema, description: 'By maker and number.' } },
} as const;
export type LabelSheetList = XStatic<typeof LabelSheetListSchema>;

type Page = Pick<LabelSheet, 'pageWidth' | 'pageHeight'>;

const A4: Page = { pageWidth: 210, pageHeight: 297 };
const LETTER: Page = { pageWidth: 215.9, pageHeight: 279.4 };

/** Number, width and height of a label, columns, rows, gaps beside and below one another, left and top margin. */
type Row = readonly [string, number, number, number, number, number?, number?, number?, number?];

const AVERY_A4: readonly Row[] = [
  ['L4731', 25.4, 10, 7, 27, 2.54, 0, 8.5, 13.5],
  ['L4732', 35.6, 16.9, 5, 16, 2.5, 0, 11, 13.2],
  ['L7159', 63.5, 33.9, 3, 8, 2.5],
  ['L7160', 63.5, 38.1, 3, 7, 2.5],
  ['L7161', 63.5, 46.6, 3, 6, 2.5],
  ['L7162', 99.1, 33.9, 2, 8, 2.5],
  ['L7163', 99.1, 38.1, 2, 7, 2.5],
  ['L7164', 63.5, 72, 3, 4, 2.5],
  ['L7165', 99.1, 67.7, 2, 4, 2.5],
  ['L7166', 99.1, 93.1, 2, 3, 2.5],
  ['L7169', 99.1, 139, 2, 2, 2.5],
  ['L7173', 99.1, 57, 2, 5, 2.5],
  ['L7651', 38.1, 21.2, 5, 13, 2.5],
];

/** Their sizes are in inches. */
const AVERY_LETTER: readonly Row[] = [
  ['5160', 66.675, 25.4, 3, 10, 3.175],
  ['5161', 101.6, 25.4, 2, 10, 4.763],
  ['5162', 101.6, 33.867, 2, 7, 4.763],
  ['5163', 101.6, 50.8, 2, 5, 4.763],
  ['5164', 101.6, 84.667, 2, 3, 4.763],
  ['5167', 44.45, 12.7, 4, 20, 7.938],
  ['5168', 88.9, 127, 2, 2, 12.7],
  ['22806', 50.8, 50.8, 3, 4, 15.875, 14.817],
];

const ZWECKFORM: readonly Row[] = [
  ['3422', 70, 35, 3, 8],
  ['3424', 105, 48, 2, 6],
  ['3425', 105, 57, 2, 5],
  ['3474', 70, 37, 3, 8],
  ['3475', 70, 36, 3, 8],
  ['3477', 105, 41, 2, 7],
  ['3483', 105, 148, 2, 2],
  ['3490', 70, 36, 3, 8],
  ['3652', 70, 42.3, 3, 7],
  ['3655', 210, 148, 1, 2],
  ['3657', 48.5, 25.4, 4, 10],
  ['3667', 48.5, 16.9, 4, 16],
  ['4780', 48.5, 25.4, 4, 10],
];

const HERMA: readonly Row[] = [
  ['4457', 105, 48, 2, 6],
  ['4464', 70, 37, 3, 8],
  ['4607', 48.3, 16.9, 4, 16],
  ['4608', 48.3, 25.4, 4, 11],
  ['4614', 66, 33.8, 3, 8],
  ['4620', 105, 37, 2, 8],
  ['4625', 105, 42.3, 2, 7],
];

/** Rounds to thousandths, which is what requests may have. */
const rounded = (mm: number) => Math.round(mm * 1_000) / 1_000;

/** The margin before labels that stand in the middle of a page. */
export function centred(page: number, labels: number, label: number, gap: number): number {
  return rounded((page - labels * label - (labels - 1) * gap) / 2);
}

function sheets(prefix: string, maker: string, page: Page, rows: readonly Row[]): readonly LabelSheet[] {
  return rows.map(([product, labelWidth, labelHeight, columns, rowCount, gapX = 0, gapY = 0, left, top]) => ({
    name: `${prefix}-${product.toLowerCase()}`,
    maker,
    product,
    ...page,
    labelWidth,
    labelHeight,
    columns,
    rows: rowCount,
    left: left ?? centred(page.pageWidth, columns, labelWidth, gapX),
    top: top ?? centred(page.pageHeight, rowCount, labelHeight, gapY),
    gapX,
    gapY,
  }));
}

export const LABEL_SHEETS: readonly LabelSheet[] = [
  ...sheets('avery', 'Avery', A4, AVERY_A4),
  ...sheets('avery', 'Avery', LETTER, AVERY_LETTER),
  ...sheets('zweckform', 'Avery Zweckform', A4, ZWECKFORM),
  ...sheets('herma', 'Herma', A4, HERMA),
];
