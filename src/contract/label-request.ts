/** The parameters of a file of labels: read, checked, and resolved to a layout in micrometres. */

import { mm, refuseLabels, UM_PER_MM } from './label-fit.js';
import { type CaptionPlace, centred, LABEL_SHEETS, type SheetGeometry } from './label-sheets.js';
import { LabelsSchema, type LabelsQuery } from './query-schema.js';
import { type Parameters, type Query, readQuery } from './read-query.js';

/** The parameters by name, as a query or a file has them. Absent where they are not given. */
export type LabelParameters = Parameters;

/** A page with labels in columns and rows, in micrometres. */
export interface Sheet {
  pageWidthUm: number;
  pageHeightUm: number;
  labelWidthUm: number;
  labelHeightUm: number;
  columns: number;
  rows: number;
  leftUm: number;
  topUm: number;
  gapXUm: number;
  gapYUm: number;
}

/** Items of a job, one at least. */
export interface ItemRange {
  firstItem: number;
  /** Index behind the last item. */
  endItem: number;
}

/** The labels of some items, as the engine draws them. */
export interface LabelLayout {
  sheet: Sheet;
  /** Labels of the first sheet that are used up. */
  used: number;
  /** One item at least, in ranges that follow one another. */
  items: ItemRange[];
  /** Edge of every code without its quiet zone. Absent: as large as the label allows. */
  sizeUm?: number;
  caption: CaptionPlace;
  /** Size of letters, in tenths of a point. Absent: one that suits their place. */
  captionSizeTenths?: number;
  cutMarks: boolean;
  /** Moves everything on the page to the right and down. */
  shiftXUm: number;
  shiftYUm: number;
}

/** The look of codes and captions, one for all labels of a job, whichever of them are printed. */
export interface LabelLook {
  caption: Exclude<CaptionPlace, 'auto'>;
  /** The largest step of a caption, where no sizes are given. Absent: the last. */
  largestStep?: number;
  /** Edge that no code exceeds, where no size is given. Absent: each is as large as its label allows. */
  largestUm?: number;
}

/** A layout whose captions have a place. */
export type SettledLayout = LabelLayout & LabelLook;

/** Reads and checks the parameters for a job of `total` items. @throws ApiError `invalid_input`, listing every issue */
export function labelLayout(parameters: LabelParameters, total: number): LabelLayout {
  const query = readQuery(LabelsSchema, parameters);
  const geometry = geometryOf(query);
  const labels = geometry === undefined ? undefined : geometry.columns * geometry.rows;
  const first = query.read('first', labels) ?? 1;
  const items = itemsOf(query, total);
  const size = query.read('size');
  const caption = query.read('caption') ?? 'auto';
  const captionSize = query.read('captionSize');
  const cutMarks = query.read('cutMarks') ?? false;
  const [shiftX, shiftY] = [query.read('shiftX') ?? 0, query.read('shiftY') ?? 0];
  query.refuseOthers();
  refuseLabels(query.issues);
  return {
    sheet: inMicrometres(geometry as SheetGeometry),
    used: first - 1,
    items,
    ...(size !== undefined && { sizeUm: micrometres(size) }),
    caption,
    ...(captionSize !== undefined && { captionSizeTenths: Math.round(captionSize * 10) }),
    cutMarks,
    shiftXUm: micrometres(shiftX),
    shiftYUm: micrometres(shiftY),
  };
}

/** The same labels of one of the items. */
export function onlyItem(layout: LabelLayout, item: number): LabelLayout {
  return { ...layout, items: [{ firstItem: item, endItem: item + 1 }] };
}

/** Number of items. */
export function itemCount({ items }: LabelLayout): number {
  return items.reduce((sum, { firstItem, endItem }) => sum + endItem - firstItem, 0);
}

/** The items of all ranges, in ranges that follow one another and do not touch. */
export function together(ranges: readonly ItemRange[]): ItemRange[] {
  const merged: ItemRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.firstItem - other.firstItem)) {
    const last = merged.at(-1);
    if (last === undefined || last.endItem < range.firstItem) {
      merged.push({ ...range });
    } else {
      last.endItem = Math.max(last.endItem, range.endItem);
    }
  }
  return merged;
}

/** The parts of the ranges that lie in another. */
export function within(ranges: readonly ItemRange[], { firstItem, endItem }: ItemRange): ItemRange[] {
  return ranges
    .map((range) => ({
      firstItem: Math.max(range.firstItem, firstItem),
      endItem: Math.min(range.endItem, endItem),
    }))
    .filter((range) => range.firstItem < range.endItem);
}

function itemsOf(query: Query<LabelsQuery>, total: number): ItemRange[] {
  const from = query.read('from', total - 1) ?? 0;
  const to = query.read('to', total - 1) ?? total - 1;
  const list = query.read('items');
  if (from > to) {
    query.refuse('to', 'too_small', `must not be less than from, ${from}`);
  }
  if (list === undefined) {
    return [{ firstItem: from, endItem: to + 1 }];
  }
  for (const name of ['from', 'to'] as const) {
    if (query.has(name)) {
      query.refuse(name, 'conflict', 'is not taken beside items');
    }
  }
  const ranges = list.split(',').map((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return { firstItem: first, endItem: last + 1 };
  });
  const wrong = ranges.find(({ firstItem, endItem }) => firstItem >= endItem || endItem > total);
  if (wrong !== undefined) {
    const found = wrong.firstItem >= wrong.endItem ? 'a range that ends before it begins' : `item ${wrong.endItem - 1}`;
    query.refuse('items', 'invalid_value', `must name items from 0 to ${total - 1}, not ${found}`);
  }
  return together(ranges);
}

/** A sheet's own parameters, those of no other sheet. */
const SIZES = ['labelWidth', 'labelHeight'] as const;
const GRID = ['pageWidth', 'pageHeight', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'] as const;

function geometryOf(query: Query<LabelsQuery>): SheetGeometry | undefined {
  const name = query.require('sheet');
  if (name === undefined) {
    return undefined;
  }
  if (name === 'single') {
    refuseAll(query, GRID, 'a page of one label has no such parameter');
    return singleOf(query);
  }
  if (name === 'custom') {
    return customOf(query);
  }
  const sheet = LABEL_SHEETS.find((each) => each.name === name);
  if (sheet === undefined) {
    const names = 'a name of GET /api/v1/label-sheets, single or custom';
    query.refuse('sheet', 'invalid_value', `must be ${names}, not ${JSON.stringify(name.slice(0, 40))}`);
  }
  refuseAll(query, [...SIZES, ...GRID], 'belongs to the sheets single and custom');
  return sheet;
}

/** Refuses parameters that the sheet does not have. */
function refuseAll(query: Query<LabelsQuery>, names: readonly (keyof LabelsQuery)[], message: string): void {
  for (const name of names.filter((each) => query.has(each))) {
    query.refuse(name, 'conflict', message);
  }
}

function singleOf(query: Query<LabelsQuery>): SheetGeometry | undefined {
  const [labelWidth, labelHeight] = [query.require('labelWidth'), query.require('labelHeight')];
  if (labelWidth === undefined || labelHeight === undefined) {
    return undefined;
  }
  const page = { pageWidth: labelWidth, pageHeight: labelHeight };
  return { ...page, labelWidth, labelHeight, columns: 1, rows: 1, left: 0, top: 0, gapX: 0, gapY: 0 };
}

function customOf(query: Query<LabelsQuery>): SheetGeometry | undefined {
  const x = axisOf(query, { page: 'pageWidth', label: 'labelWidth', count: 'columns', margin: 'left', gap: 'gapX' });
  const y = axisOf(query, { page: 'pageHeight', label: 'labelHeight', count: 'rows', margin: 'top', gap: 'gapY' });
  return x && y && onBothSides(x, y);
}

function onBothSides(x: Axis<number>, y: Axis<number>): SheetGeometry {
  return {
    pageWidth: x.page,
    pageHeight: y.page,
    labelWidth: x.label,
    labelHeight: y.label,
    columns: x.count,
    rows: y.count,
    left: x.margin,
    top: y.margin,
    gapX: x.gap,
    gapY: y.gap,
  };
}

/** The parameters of a sheet along one of its sides. */
type Axis<T> = Record<'page' | 'label' | 'count' | 'margin' | 'gap', T>;

function axisOf(query: Query<LabelsQuery>, names: Axis<keyof SheetGeometry>): Axis<number> | undefined {
  const [page, label] = [query.require(names.page), query.require(names.label)];
  const count = query.require(names.count);
  const gap = query.read(names.gap) ?? 0;
  const margin = query.read(names.margin);
  if (page === undefined || label === undefined || count === undefined) {
    return undefined;
  }
  const taken = (margin ?? 0) + count * label + (count - 1) * gap;
  if (micrometres(taken) > micrometres(page)) {
    const message = `the labels take ${mm(taken)} mm with their gaps and margin; the page has ${mm(page)} mm`;
    query.refuse(names.count, 'too_large', message);
  }
  return { page, label, count, gap, margin: margin ?? centred(page, count, label, gap) };
}

function micrometres(length: number): number {
  return Math.round(length * UM_PER_MM);
}

function inMicrometres({ columns, rows, ...lengths }: SheetGeometry): Sheet {
  return {
    columns,
    rows,
    pageWidthUm: micrometres(lengths.pageWidth),
    pageHeightUm: micrometres(lengths.pageHeight),
    labelWidthUm: micrometres(lengths.labelWidth),
    labelHeightUm: micrometres(lengths.labelHeight),
    leftUm: micrometres(lengths.left),
    topUm: micrometres(lengths.top),
    gapXUm: micrometres(lengths.gapX),
    gapYUm: micrometres(lengths.gapY),
  };
}
