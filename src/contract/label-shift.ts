/** The room between what is printed and the edges of the page: the check that nothing is moved off it. */

import type { Issue } from './errors.js';
import { type LabelFit, LabelMisfit, mm, type Movable, UM_PER_MM } from './label-fit.js';
import { LIMITS } from './limits.js';
import { itemCount, type LabelLayout } from './label-request.js';

/** @throws LabelMisfit at `shiftX`, `shiftY`, or both */
export function checkShift(fit: Pick<LabelFit, 'printed'>, layout: LabelLayout): void {
  const { x, y } = roomOf(fit, layout);
  const [first, ...others] = [...refusals('shiftX', layout.shiftXUm, x), ...refusals('shiftY', layout.shiftYUm, y)];
  if (first !== undefined) {
    throw new LabelMisfit([first, ...others], { kind: 'cut', shiftX: x, shiftY: y }, { count: 0, ranges: [] });
  }
}

/** Millimetres between the nearest edge of the page and what is printed, where printers may cut it off. */
export function nearEdge(fit: Pick<LabelFit, 'printed'>, layout: LabelLayout): number | undefined {
  const { x, y } = roomOf(fit, layout);
  const [right, down] = [layout.shiftXUm / UM_PER_MM, layout.shiftYUm / UM_PER_MM];
  const least = Math.min(x.back + right, x.forth - right, y.back + down, y.forth - down);
  return least < LIMITS.printerMarginMm ? Math.max(0, least) : undefined;
}

/** The room on the page without a shift. */
function roomOf({ printed }: Pick<LabelFit, 'printed'>, layout: LabelLayout): { x: Movable; y: Movable } {
  const { sheet } = layout;
  const { columns, rows } = takenPlaces(layout);
  const x = movable({
    page: sheet.pageWidthUm,
    margin: sheet.leftUm,
    pitch: sheet.labelWidthUm + sheet.gapXUm,
    places: columns,
    printed: [printed.leftUm, printed.rightUm],
  });
  const y = movable({
    page: sheet.pageHeightUm,
    margin: sheet.topUm,
    pitch: sheet.labelHeightUm + sheet.gapYUm,
    places: rows,
    printed: [printed.topUm, printed.bottomUm],
  });
  return { x, y };
}

/** A side of the page, in micrometres. */
interface Axis {
  page: number;
  margin: number;
  /** From a label to the next one. */
  pitch: number;
  places: Ends;
  printed: Ends;
}

/** The first and the last one. */
type Ends = readonly [first: number, last: number];

function movable({ page, margin, pitch, places: [first, last], printed: [start, end] }: Axis): Movable {
  const back = margin + first * pitch + start;
  const forth = page - (margin + last * pitch + end);
  return { back: Math.max(0, back) / UM_PER_MM, forth: Math.max(0, forth) / UM_PER_MM };
}

/** The columns and the rows of the labels that are printed, on all pages together. */
function takenPlaces(layout: LabelLayout): { columns: Ends; rows: Ends } {
  const { sheet, used } = layout;
  const labels = sheet.columns * sheet.rows;
  const taken = Array.from({ length: Math.min(itemCount(layout), labels) }, (_, place) => (used + place) % labels);
  return {
    columns: endsOf(taken.map((label) => label % sheet.columns)),
    rows: endsOf(taken.map((label) => Math.floor(label / sheet.columns))),
  };
}

function endsOf(places: readonly number[]): Ends {
  const all = new Set(places);
  return [Math.min(...all), Math.max(...all)];
}

function refusals(name: 'shiftX' | 'shiftY', shiftUm: number, { back, forth }: Movable): Issue[] {
  const shift = shiftUm / UM_PER_MM;
  const path = `/${name}`;
  if (shift < -back) {
    const least = back === 0 ? '0' : `-${mm(back)}`;
    return [
      { path, code: 'too_small', message: `must be at least ${least} mm, or codes are cut off at the page's edge` },
    ];
  }
  if (shift > forth) {
    const most = mm(forth);
    return [
      { path, code: 'too_large', message: `must be at most ${most} mm, or codes are cut off at the page's edge` },
    ];
  }
  return [];
}
