/** How codes fit their labels, as the page of labels tells it. */

import { fineModules, type LabelFit, UM_PER_MM } from '../../contract/label-fit.js';
import { nearEdge } from '../../contract/label-shift.js';
import type { LabelLayout, LabelLook } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';

/** A difference between two codes that people see. */
const SEEN_UM = 50;

/** A phone reads a code from about ten times its width, and from no further than it sees its modules. */
const WIDTHS_TO_SCAN = 10;
const MODULES_TO_SCAN = 800;

interface Drawn {
  layout: LabelLayout;
  look?: LabelLook;
  remedies?: string[];
  /** The page is a sheet of paper: that of a printer of labels has no edge where nothing is printed. */
  isSheet: boolean;
}

export function shownFit(fit: LabelFit, { layout, look, remedies, isSheet }: Drawn) {
  const edgeUm = layout.sizeUm ?? fit.leastEdgeUm ?? fit.largestEdgeUm;
  const isLimited = look?.largestUm !== undefined && Math.abs(fit.largestEdgeUm - edgeUm) <= SEEN_UM;
  return {
    widthMm: edgeUm / UM_PER_MM,
    scansFromCm: Math.round(Math.min(edgeUm * WIDTHS_TO_SCAN, (fit.moduleNm / 1_000) * MODULES_TO_SCAN) / 10_000),
    smallest: (fit.mostEdgeUm ?? 0) - edgeUm > SEEN_UM ? fit.smallestItem : undefined,
    // All codes have the size for which this label has room.
    limiting: isLimited ? fit.tightestItem : undefined,
    nearEdgeMm: isSheet ? nearEdge(fit, layout) : undefined,
    narrowest: fit.narrowestItem,
    fine: fineModules(fit),
    broken: fit.broken,
    remedies,
    advisedMm: LIMITS.labelModuleMm.advised,
  };
}
