/** The parameters of a file of labels: read, checked, and resolved to a layout in micrometres. */

import type { Issue } from './errors.js';
import { mm, refuseLabels, UM_PER_MM } from './label-fit.js';
import { centred, GEOMETRY, LABEL_SHEETS, type SheetGeometry } from './label-sheets.js';
import { LIMITS } from './limits.js';

/** The parameters by name, as a query or a file has them. Absent where they are not given. */
export type LabelParameters = Readonly<Record<string, unknown>>;

export const LABEL_PARAMETERS = ['sheet', ...GEOMETRY, 'first', 'from', 'to', 'size', 'cutMarks'] as const;
type Name = (typeof LABEL_PARAMETERS)[number];

/** A page with labels in columns and rows, in micrometres. */
interface Sheet {
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

/** The labels of some items, as the engine draws them. */
export interface LabelLayout {
  sheet: Sheet;
  /** Labels of the first sheet that are used up. */
  used: number;
  firstItem: number;
  /** Index behind the last item. */
  endItem: number;
  /** Edge of every code without its quiet zone. Absent: as large as the label allows. */
  sizeUm?: number;
  cutMarks: boolean;
}

/** Reads and checks the parameters for a job of `total` items. @throws ApiError `invalid_input`, listing every issue */
export function labelLayout(parameters: LabelParameters, total: number): LabelLayout {
  const reader = new Reader(parameters);
  const geometry = geometryOf(reader);
  const labels = geometry === undefined ? Number.POSITIVE_INFINITY : geometry.columns * geometry.rows;
  const first = reader.count('first', 1, labels) ?? 1;
  const from = reader.count('from', 0, total - 1) ?? 0;
  const to = reader.count('to', 0, total - 1) ?? total - 1;
  const size = reader.length('size');
  const cutMarks = reader.flag('cutMarks') ?? false;
  if (from > to) {
    reader.issue('to', 'too_small', `must not be less than from, ${from}`);
  }
  reader.end();
  return {
    sheet: inMicrometres(geometry as SheetGeometry),
    used: first - 1,
    firstItem: from,
    endItem: to + 1,
    ...(size !== undefined && { sizeUm: micrometres(size) }),
    cutMarks,
  };
}

/** A sheet's own parameters, those of no other sheet. */
const SIZES: readonly Name[] = ['labelWidth', 'labelHeight'];
const GRID: readonly Name[] = ['pageWidth', 'pageHeight', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'];

function geometryOf(reader: Reader): SheetGeometry | undefined {
  const name = reader.text('sheet');
  if (name === undefined) {
    return undefined;
  }
  if (name === 'single') {
    reader.refuse(GRID, 'a page of one label has no such parameter');
    return singleOf(reader);
  }
  if (name === 'custom') {
    return customOf(reader);
  }
  const sheet = LABEL_SHEETS.find((each) => each.name === name);
  if (sheet === undefined) {
    const names = 'a name of GET /api/v1/label-sheets, single or custom';
    reader.issue('sheet', 'invalid_value', `must be ${names}, not ${JSON.stringify(name.slice(0, 40))}`);
  }
  reader.refuse([...SIZES, ...GRID], 'belongs to the sheets single and custom');
  return sheet;
}

function singleOf(reader: Reader): SheetGeometry | undefined {
  const [labelWidth, labelHeight] = [reader.required('labelWidth'), reader.required('labelHeight')];
  if (labelWidth === undefined || labelHeight === undefined) {
    return undefined;
  }
  const page = { pageWidth: labelWidth, pageHeight: labelHeight };
  return { ...page, labelWidth, labelHeight, columns: 1, rows: 1, left: 0, top: 0, gapX: 0, gapY: 0 };
}

function customOf(reader: Reader): SheetGeometry | undefined {
  const x = axisOf(reader, { page: 'pageWidth', label: 'labelWidth', count: 'columns', margin: 'left', gap: 'gapX' });
  const y = axisOf(reader, { page: 'pageHeight', label: 'labelHeight', count: 'rows', margin: 'top', gap: 'gapY' });
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

function axisOf(reader: Reader, names: Axis<Name>): Axis<number> | undefined {
  const { minimum, maximum } = LIMITS.labelsOfSide;
  const [page, label] = [reader.required(names.page), reader.required(names.label)];
  const count = reader.requiredCount(names.count, minimum, maximum);
  const gap = reader.length(names.gap, 0) ?? 0;
  const margin = reader.length(names.margin, 0);
  if (page === undefined || label === undefined || count === undefined) {
    return undefined;
  }
  const taken = (margin ?? 0) + count * label + (count - 1) * gap;
  if (micrometres(taken) > micrometres(page)) {
    const message = `the labels take ${mm(taken)} mm with their gaps and margin; the page has ${mm(page)} mm`;
    reader.issue(names.count, 'too_large', message);
  }
  return { page, label, count, gap, margin: margin ?? centred(page, count, label, gap) };
}

/** Reads parameters, and gathers what is wrong with them. */
class Reader {
  readonly #parameters: LabelParameters;
  readonly #issues: Issue[] = [];

  constructor(parameters: LabelParameters) {
    this.#parameters = parameters;
  }

  issue(name: Name, code: string, message: string): void {
    this.#issues.push({ path: `/${name}`, code, message });
  }

  /** A text that has to be there. */
  text(name: Name): string | undefined {
    const value = this.#parameters[name];
    if (typeof value === 'string' && value !== '') {
      return value;
    }
    this.issue(name, value === undefined || value === '' ? 'required' : 'wrong_type', 'must be the name of a sheet');
    return undefined;
  }

  /** A length in millimetres. */
  length(name: Name, minimum: number = LIMITS.labelMm.minimum): number | undefined {
    const { maximum, decimals } = LIMITS.labelMm;
    const expected = `a length from ${minimum} to ${maximum} mm with at most ${decimals} decimals`;
    return this.#number(name, /^\d{1,4}(?:\.\d{1,3})?$/, expected, minimum, maximum);
  }

  required(name: Name): number | undefined {
    return this.#isGiven(name) ? this.length(name) : this.#missing(name);
  }

  /** A whole number. */
  count(name: Name, minimum: number, maximum: number): number | undefined {
    const range = maximum === Number.POSITIVE_INFINITY ? `from ${minimum} on` : `from ${minimum} to ${maximum}`;
    return this.#number(name, /^\d{1,7}$/, `a whole number ${range}`, minimum, maximum);
  }

  requiredCount(name: Name, minimum: number, maximum: number): number | undefined {
    return this.#isGiven(name) ? this.count(name, minimum, maximum) : this.#missing(name);
  }

  flag(name: Name): boolean | undefined {
    const value = this.#parameters[name];
    if (value === undefined || value === true || value === false) {
      return value;
    }
    if (value !== 'true' && value !== 'false') {
      this.issue(name, 'invalid_value', 'must be true or false');
    }
    return value === 'true';
  }

  /** Refuses parameters that the sheet does not have. */
  refuse(names: readonly Name[], message: string): void {
    for (const name of names.filter((each) => this.#isGiven(each))) {
      this.issue(name, 'conflict', message);
    }
  }

  /** @throws ApiError if anything was wrong */
  end(): void {
    refuseLabels(this.#issues);
  }

  #isGiven(name: Name): boolean {
    return this.#parameters[name] !== undefined;
  }

  #missing(name: Name): undefined {
    this.issue(name, 'required', 'is needed for this sheet');
    return undefined;
  }

  #number(name: Name, form: RegExp, expected: string, minimum: number, maximum: number): number | undefined {
    const value = this.#parameters[name];
    if (value === undefined) {
      return undefined;
    }
    const isText = typeof value === 'string' || typeof value === 'number';
    const number = isText && form.test(String(value)) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) {
      return number;
    }
    const found = isText ? JSON.stringify(String(value).slice(0, 40)) : 'another value';
    const code = number < minimum ? 'too_small' : number > maximum ? 'too_large' : 'invalid_value';
    this.issue(name, code, `must be ${expected}, not ${found}`);
    return undefined;
  }
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
