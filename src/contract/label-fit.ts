/** The check that the codes of a job fit on their labels, and can be read there. */

import { ApiError, type Issue } from './errors.js';
import { LIMITS } from './limits.js';

export const UM_PER_MM = 1_000;

/** The items that have the least room on their labels. */
export interface LabelFit {
  /** Item with the narrowest modules. */
  narrowestItem: number;
  /** Width of its modules. */
  moduleNm: number;
  /** Modules of an edge of its symbol. */
  modules: number;
  /** Item whose label has room for the smallest code. */
  tightestItem: number;
  /** Edge of that code without its quiet zone. */
  largestEdgeUm: number;
  /** Contrast of the job's colours on white paper. */
  contrastHundredths: number;
}

/** The fit of two groups of items together. */
export function leastFit(one: LabelFit, other: LabelFit): LabelFit {
  const narrow = other.moduleNm < one.moduleNm ? other : one;
  const tight = other.largestEdgeUm < one.largestEdgeUm ? other : one;
  const { tightestItem, largestEdgeUm } = tight;
  return { ...narrow, tightestItem, largestEdgeUm };
}

/**
 * Checks that the codes have their place and can be read.
 * @returns a remark about modules that are narrower than advised
 * @throws ApiError `invalid_input` at `size` or `sheet`
 */
export function checkFit(fit: LabelFit, { sizeUm }: { sizeUm?: number }): string | undefined {
  const { minimum, advised } = LIMITS.labelModuleMm;
  const { narrowestItem, modules, moduleNm, tightestItem, largestEdgeUm, contrastHundredths } = fit;
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
    const message = `${narrow}; its code needs a size of at least ${least} mm without its quiet zone`;
    refuseLabels([{ path: sizeUm === undefined ? '/sheet' : '/size', code: 'too_small', message }]);
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
    throw new ApiError('invalid_input', message, { issues, issueCount: issues.length });
  }
}

/** Millimetres in as few digits as say them to the thousandth, cut off. */
export function mm(length: number): string {
  return String(Math.floor(length * 1_000 + 1e-6) / 1_000);
}
