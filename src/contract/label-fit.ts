/** The check that the codes of a job fit on their labels, and can be read there. */

import { ApiError, type Issue } from './errors.js';
import { LIMITS } from './limits.js';

export const UM_PER_MM = 1_000;

/** The items that have the least room on their labels. */
export interface LabelFit {
  /** Item with the narrowest modules. */
  narrowestItem: number;
  moduleNm: number;
  /** Width of its modules without its caption. */
  bareModuleNm: number;
  /** Modules of an edge of its symbol. */
  modules: number;
  /** Item whose label has room for the smallest code. */
  tightestItem: number;
  /** Edge of that code without its quiet zone. */
  largestEdgeUm: number;
  /** Contrast of the job's colours on white paper. */
  contrastHundredths: number;
  /** First item whose caption finds no room. */
  crowdedItem?: number;
}

/** The fit of two groups of items together. */
export function leastFit(one: LabelFit, other: LabelFit): LabelFit {
  const narrow = other.moduleNm < one.moduleNm ? other : one;
  const tight = other.largestEdgeUm < one.largestEdgeUm ? other : one;
  const { tightestItem, largestEdgeUm } = tight;
  const crowdedItem = one.crowdedItem ?? other.crowdedItem;
  return { ...narrow, tightestItem, largestEdgeUm, ...(crowdedItem !== undefined && { crowdedItem }) };
}

/** What a request says about the look of its labels. */
interface Wishes {
  sizeUm?: number;
  caption: string;
  captionSizeTenths?: number;
}

/**
 * Checks that the codes have their place and can be read.
 * @returns a remark about modules that are narrower than advised
 * @throws ApiError `invalid_input` at `size` or `sheet`, or where the caption takes the room at `captionSize` or `caption`
 */
export function checkFit(fit: LabelFit, wishes: Wishes): string | undefined {
  const { minimum, advised } = LIMITS.labelModuleMm;
  const { narrowestItem, modules, moduleNm, tightestItem, largestEdgeUm, crowdedItem, contrastHundredths } = fit;
  const { sizeUm } = wishes;
  const captionPath = wishes.captionSizeTenths === undefined ? '/caption' : '/captionSize';
  if (crowdedItem !== undefined) {
    const size = `${(wishes.captionSizeTenths ?? LIMITS.labelCaptionPt.legible * 10) / 10} points`;
    const message = `the caption of item ${crowdedItem} finds no room on its label in letters of ${size}`;
    refuseLabels([{ path: captionPath, code: 'too_large', message }]);
  }
  const room = `the label of item ${tightestItem} has room for a code of ${mm(largestEdgeUm / UM_PER_MM)} mm`;
  const moduleMm = moduleNm / 1e6;
  const contrast = contrastHundredths / 100;
  if (contrast < LIMITS.labelContrast) {
    const message = `the codes cannot be seen on paper: the contrast of foreground and background is ${contrast.toFixed(2)}:1, less than ${LIMITS.labelContrast}:1; what is transparent is white there. Make the job again in other colours`;
    refuseLabels([{ path: '/sheet', code: 'invalid_value', message }]);
  }
  if (moduleMm < minimum) {
    const least = mm(Math.ceil(modules * minimum * UM_PER_MM) / UM_PER_MM);
    const narrow = `the modules of item ${narrowestItem} would be ${mm(moduleMm)} mm wide, less than ${minimum} mm`;
    const needs = `its code needs a size of at least ${least} mm without its quiet zone`;
    const isCrowded = fit.bareModuleNm / 1e6 >= minimum;
    const advice = isCrowded ? '. Its caption takes the room: shorten it, or leave captions out' : '';
    const isChosen = wishes.captionSizeTenths !== undefined || wishes.caption !== 'auto';
    const path = isCrowded && isChosen ? captionPath : sizeUm === undefined ? '/sheet' : '/size';
    refuseLabels([{ path, code: 'too_small', message: `${narrow}; ${needs}${advice}` }]);
  }
  if (sizeUm !== undefined && sizeUm > largestEdgeUm) {
    refuseLabels([{ path: '/size', code: 'too_large', message: `${room}, with its quiet zone and caption` }]);
  }
  return moduleMm < advised
    ? `The modules of item ${narrowestItem} are ${mm(moduleMm)} mm wide. Below ${advised} mm some printers and phones have trouble.`
    : undefined;
}

/** @throws ApiError `invalid_input` if there are issues */
export function refuseLabels(issues: readonly Issue[]): void {
  const [first] = issues;
  if (first !== undefined) {
    const message = `The labels cannot be made: ${first.path}: ${first.message}`;
    const listed = issues.slice(0, LIMITS.issues);
    throw new ApiError('invalid_input', message, { issues: listed, issueCount: issues.length });
  }
}

/** Millimetres in as few digits as say them to the thousandth, cut off. */
export function mm(length: number): string {
  return String(Math.floor(length * 1_000 + 1e-6) / 1_000);
}
