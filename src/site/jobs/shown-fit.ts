/** How codes fit their labels, as the page of labels tells it. */

import { fineModules, type LabelFit, UM_PER_MM } from '../../contract/label-fit.js';
import { nearEdge } from '../../contract/label-shift.js';
import type { LabelLayout, LabelLook } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';

/** A difference between two codes that people see. */
const SEEN_UM = 50;

/** A difference between two margins that no ruler makes. */
const LEAST_DIFFERENCE_UM = 2_000;

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
    // The captions are counted where their sizes are not given.
    hasNoText:
      layout.caption !== 'none' &&
      layout.captionSizeTenths === undefined &&
      fit.crowdedItem === undefined &&
      fit.captions.every((count) => count === 0),
    narrowest: fit.narrowestItem,
    fine: fineModules(fit),
    broken: fit.broken,
    remedies,
    advisedMm: LIMITS.labelModuleMm.advised,
  };
}

/** A side of the page on which labels stand, in millimetres, and the gap between two of them that would put them in its middle. */
interface LikelyGap {
  name: 'gapX' | 'gapY';
  before: number;
  behind: number;
  gap: number;
}

/** Gaps that a person who measured a sheet may have left out: more of the page is free behind the labels than before them. */
export function likelyGaps({ sheet }: LabelLayout, fields: Readonly<Record<string, string>>): LikelyGap[] {
  const sides = [
    ['gapX', 'left', sheet.pageWidthUm, sheet.leftUm, sheet.labelWidthUm, sheet.columns],
    ['gapY', 'top', sheet.pageHeightUm, sheet.topUm, sheet.labelHeightUm, sheet.rows],
  ] as const;
  return sides.flatMap(([name, margin, page, beforeUm, label, count]) => {
    const isMeasured = fields['sheet'] === 'custom' && fields[margin] !== undefined && fields[name] === undefined;
    const behindUm = page - beforeUm - count * label;
    if (!isMeasured || count < 2 || behindUm - beforeUm < LEAST_DIFFERENCE_UM) return [];
    const gap = Math.round((behindUm - beforeUm) / (count - 1) / 100) / 10;
    return [{ name, before: beforeUm / UM_PER_MM, behind: behindUm / UM_PER_MM, gap }];
  });
}
