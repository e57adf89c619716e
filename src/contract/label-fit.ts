/** The check that the codes of a job fit on their labels, and can be read there. */

import { ApiError, type Issue } from './errors.js';
import { LIMITS } from './limits.js';

export const UM_PER_MM = 1_000;

/** Some items: all of them are counted, and the first ranges are listed, `labelRanges` at most. */
export interface ItemList {
  count: number;
  ranges: { firstItem: number; endItem: number }[];
}

/** The items that have the least room on their labels. */
export interface LabelFit {
  /** Item with the narrowest modules. */
  narrowestItem: number;
  moduleNm: number;
  /** Width of its modules without its caption. */
  bareModuleNm: number;
  /** Modules of an edge of its symbol. */
  modules: number;
  /** Modules of each side of the job's quiet zones. */
  quietZoneModules: number;
  /** Item whose label has room for the smallest code. */
  tightestItem: number;
  /** Edge of that code without its quiet zone. */
  largestEdgeUm: number;
  /** First item whose code is the smallest of those that stand on their labels. */
  smallestItem: number;
  /** Edges of that code and of the largest of them, without quiet zones. Absent: no code stands on its label. */
  leastEdgeUm?: number;
  mostEdgeUm?: number;
  /** Sides of symbols without their quiet zones and of texts on a label, of all items together. */
  printed: { leftUm: number; topUm: number; rightUm: number; bottomUm: number };
  /** Contrast of the job's colours on white paper. */
  contrastHundredths: number;
  /** First item whose caption finds no room. */
  crowdedItem?: number;
  /** Items that cannot stand on their labels. */
  misfits: ItemList;
  /** Items whose caption has a line that ends inside a word. */
  broken: ItemList;
  /** Captions whose size is not given by their step: how small letters are, and beside them the code, for the sake of whole words. */
  captions: number[];
}

/** What a request says about the look of its labels. */
interface Wishes {
  sizeUm?: number;
  caption: string;
  captionSizeTenths?: number;
}

/** Why codes do not stand on their labels. Lengths are millimetres. */
export type Misfit =
  | { kind: 'crowded'; item: number; points: number; size?: number }
  | { kind: 'pale' }
  | { kind: 'dense'; item: number; room: number; least: number; leastLabel: number; takenByCaption: boolean }
  | { kind: 'large'; item: number; largest: number }
  | { kind: 'cut'; shiftX: Movable; shiftY: Movable };

/** The most that codes can be moved to the left or up, and to the right or down, before the page's edge cuts one off. */
export interface Movable {
  back: number;
  forth: number;
}

/** The refusal of labels on which some codes do not fit, or cannot be read. */
export class LabelMisfit extends ApiError {
  readonly misfit: Misfit;
  /** All items that are refused. */
  readonly items: ItemList;

  constructor(issues: readonly [Issue, ...Issue[]], misfit: Misfit, items: ItemList) {
    super('invalid_input', refusalOf(issues[0]), { issues, issueCount: issues.length });
    this.misfit = misfit;
    this.items = items;
  }
}

/**
 * Checks that the codes have their place and can be read.
 * @throws LabelMisfit at `size` or `sheet`, or where the caption takes the room at `captionSize` or `caption`
 */
export function checkFit(fit: LabelFit, wishes: Wishes): void {
  const { minimum } = LIMITS.labelModuleMm;
  const { narrowestItem, modules, moduleNm, tightestItem, largestEdgeUm, crowdedItem, contrastHundredths } = fit;
  const { misfits, quietZoneModules } = fit;
  const { sizeUm } = wishes;
  const captionPath = wishes.captionSizeTenths === undefined ? '/caption' : '/captionSize';
  const size = sizeUm === undefined ? undefined : sizeUm / UM_PER_MM;
  // A code that is too dense without its text needs another label first.
  if (crowdedItem !== undefined && fit.bareModuleNm / 1e6 >= minimum) {
    const points = (wishes.captionSizeTenths ?? LIMITS.labelCaptionPt.legible * 10) / 10;
    const code = size === undefined ? '' : ` with a code of ${mm(size)} mm`;
    const message = `the caption of item ${crowdedItem} finds no room on its label${code} in letters of ${points} points`;
    const path = size !== undefined && wishes.captionSizeTenths === undefined ? '/size' : captionPath;
    throw new LabelMisfit(
      [{ path, code: 'too_large', message }],
      { kind: 'crowded', item: crowdedItem, points, ...(size !== undefined && { size }) },
      misfits,
    );
  }
  const contrast = contrastHundredths / 100;
  if (contrast < LIMITS.labelContrast) {
    const message = `the codes cannot be seen on paper: the contrast of foreground and background is ${contrast.toFixed(2)}:1, less than ${LIMITS.labelContrast}:1; what is transparent is white there. Make the job again in other colours`;
    throw new LabelMisfit([{ path: '/sheet', code: 'invalid_value', message }], { kind: 'pale' }, misfits);
  }
  const moduleMm = moduleNm / 1e6;
  if (moduleMm < minimum) {
    const least = Math.ceil(modules * minimum * UM_PER_MM) / UM_PER_MM;
    const narrow = `the modules of item ${narrowestItem} would be ${mm(moduleMm)} mm wide, less than ${minimum} mm`;
    const needs = `its code needs a size of at least ${mm(least)} mm without its quiet zone`;
    const takenByCaption = fit.bareModuleNm / 1e6 >= minimum;
    const advice = takenByCaption ? '. Its caption takes the room: shorten it, or leave captions out' : '';
    const isChosen = wishes.captionSizeTenths !== undefined || wishes.caption !== 'auto';
    const path = takenByCaption && isChosen ? captionPath : sizeUm === undefined ? '/sheet' : '/size';
    throw new LabelMisfit(
      [{ path, code: 'too_small', message: `${narrow}; ${needs}${advice}` }],
      {
        kind: 'dense',
        item: narrowestItem,
        room: modules * moduleMm,
        least,
        leastLabel: (modules + 2 * quietZoneModules) * minimum,
        takenByCaption,
      },
      misfits,
    );
  }
  if (sizeUm !== undefined && sizeUm > largestEdgeUm) {
    const largest = largestEdgeUm / UM_PER_MM;
    const room = `the label of item ${tightestItem} has room for a code of ${mm(largest)} mm`;
    throw new LabelMisfit(
      [{ path: '/size', code: 'too_large', message: `${room}, with its quiet zone and caption` }],
      { kind: 'large', item: tightestItem, largest },
      misfits,
    );
  }
}

/** The item whose modules are narrower than advised, if there is one, and their width in millimetres. */
export function fineModules({ narrowestItem: item, moduleNm }: LabelFit): { item: number; width: number } | undefined {
  const width = moduleNm / 1e6;
  return width < LIMITS.labelModuleMm.advised ? { item, width } : undefined;
}

/** @throws ApiError `invalid_input` if there are issues */
export function refuseLabels(issues: readonly Issue[]): void {
  const [first, ...others] = issues;
  if (first !== undefined) {
    throw labelRefusal([first, ...others]);
  }
}

export function labelRefusal(issues: readonly [Issue, ...Issue[]]): ApiError {
  const listed = issues.slice(0, LIMITS.issues);
  return new ApiError('invalid_input', refusalOf(issues[0]), { issues: listed, issueCount: issues.length });
}

function refusalOf({ path, message }: Issue): string {
  return `The labels cannot be made: ${path}: ${message}`;
}

/** Millimetres in as few digits as say them to the thousandth, cut off. */
export function mm(length: number): string {
  return String(Math.floor(length * 1_000 + 1e-6) / 1_000);
}
