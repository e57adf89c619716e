/** How codes fit their labels, as the page of labels tells it. */

import { fineModules, type LabelFit, UM_PER_MM } from '../../contract/label-fit.js';
import { nearEdge } from '../../contract/label-shift.js';
import { itemCount, type LabelLayout, type LabelLook } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';

/** A difference between two codes that people see. */
const SEEN_UM = 50;

/** A difference between two margins that no ruler makes, and margins beside which labels may have gaps. */
const LEAST_DIFFERENCE_UM = 2_000;
const LEAST_MARGIN_UM = 5_000;

/** Many scanners cannot read codes of less contrast, of which the engine warns as well. */
const SCANNED_CONTRAST = 3;

/** Codes that are closer to each other may be read for one another. */
const LEAST_APART_UM = 4_000;

/** A phone reads a code from about ten times its width, and from no further than it sees its modules. */
const WIDTHS_TO_SCAN = 10;
const MODULES_TO_SCAN = 800;

interface Drawn {
  layout: LabelLayout;
  look?: LabelLook;
  remedies?: string[];
  /** The code that is printed as a test, where the one with the narrowest modules does not scan. */
  tested?: number | undefined;
  /** The page is a sheet of paper: that of a printer of labels has no edge where nothing is printed. */
  isSheet: boolean;
}

export function shownFit(fit: LabelFit, { layout, look, remedies, tested = fit.narrowestItem, isSheet }: Drawn) {
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
    paleContrast: fit.contrastHundredths < SCANNED_CONTRAST * 100 ? fit.contrastHundredths / 100 : undefined,
    tested,
    isNarrowest: tested === fit.narrowestItem,
    apartMm: apart(fit.mostEdgeUm ?? edgeUm, layout),
    fine: fineModules(fit),
    broken: fit.broken,
    remedies,
    advisedMm: LIMITS.labelModuleMm.advised,
  };
}

/** Millimetres between the codes of neighbouring labels. Undefined where these are far enough apart. */
function apart(edgeUm: number, layout: LabelLayout): number | undefined {
  const { columns, rows, labelWidthUm, labelHeightUm, gapXUm, gapYUm } = layout.sheet;
  const count = itemCount(layout);
  const gaps = [
    ...(columns > 1 && count > 1 ? [labelWidthUm + gapXUm - edgeUm] : []),
    ...(rows > 1 && count > columns ? [labelHeightUm + gapYUm - edgeUm] : []),
  ];
  const least = Math.min(...gaps);
  return least < LEAST_APART_UM ? least / UM_PER_MM : undefined;
}

/** A side of the page on which labels touch each other, in millimetres. */
interface Touching {
  name: 'gapX' | 'gapY';
  before: number;
  behind: number;
  /** The gap that would put the labels in the middle of the page. Absent where they are there. */
  gap?: number;
}

/** Gaps that a person who measured a sheet may have left out: much of the page is free beside labels without any. */
export function gapsLeftOut({ sheet }: LabelLayout, fields: Readonly<Record<string, string>>): Touching[] {
  const sides = [
    ['gapX', 'left', sheet.pageWidthUm, sheet.leftUm, sheet.labelWidthUm, sheet.columns],
    ['gapY', 'top', sheet.pageHeightUm, sheet.topUm, sheet.labelHeightUm, sheet.rows],
  ] as const;
  return sides.flatMap(([name, margin, page, beforeUm, label, count]) => {
    const behindUm = page - beforeUm - count * label;
    const [excess, isCentred] = [behindUm - beforeUm, fields[margin] === undefined];
    const isLikely = isCentred ? beforeUm >= LEAST_MARGIN_UM : excess >= LEAST_DIFFERENCE_UM;
    if (fields['sheet'] !== 'custom' || fields[name] !== undefined || count < 2 || !isLikely) return [];
    const gap = Math.round(excess / (count - 1) / 100) / 10;
    return [{ name, before: beforeUm / UM_PER_MM, behind: behindUm / UM_PER_MM, ...(!isCentred && { gap }) }];
  });
}
