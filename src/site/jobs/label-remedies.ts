/** Choices that help where texts do not fit their labels, or words of them break: each is tried before it is offered. */

import { ApiError } from '../../contract/errors.js';
import { type ItemList, type LabelFit, LabelMisfit, UM_PER_MM } from '../../contract/label-fit.js';
import { itemCount, type LabelLayout, type LabelLook } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';
import { leavingOut } from './label-rows.js';

/** Codes for which larger sizes are looked for: each try measures all of them. */
const MOST_TRIED = 1_000;

/** Of so many codes, one may be left out for the sake of the others. */
const CODES_TO_ONE_LEFT_OUT = 8;

/** Opens labels. Rejects where they are refused. */
type Open = (layout: LabelLayout) => Promise<{ fit: LabelFit; look: LabelLook }>;

/** Fields that keep words whole that are broken: `caption` below the code, or smaller letters. @param layout as it is drawn */
export async function remediesOfBroken(layout: LabelLayout, { broken }: LabelFit, open: Open): Promise<string[]> {
  const of = { ...layout, items: broken.ranges, shiftXUm: 0, shiftYUm: 0 };
  const changes = {
    caption: { ...of, caption: 'below' },
    captionSize: { ...of, captionSizeTenths: LIMITS.labelCaptionPt.minimum * 10 },
  } satisfies Record<string, LabelLayout>;
  const helping: string[] = [];
  for (const [name, changed] of Object.entries(changes)) {
    const isNone = broken.count === 0 || (layout.caption !== 'beside' && name !== 'captionSize');
    const found = isNone ? undefined : await opened(open, changed);
    if (found !== undefined && found.fit.broken.count < itemCount(of)) {
      helping.push(name);
    }
  }
  return helping;
}

/** A value of a field with which all labels fit. */
export interface Fitting {
  name: 'caption' | 'captionSize' | 'size';
  value: string;
}

/** The largest size of codes in whole millimetres at which no word breaks. */
export async function fittingSize(
  layout: LabelLayout,
  { fit, look }: { fit: LabelFit; look: LabelLook },
  open: Open,
): Promise<Fitting[]> {
  if (fit.broken.count === 0 || look.caption !== 'beside') {
    return [];
  }
  const isWhole = async (changed: LabelLayout) => (await opened(open, changed))?.fit.broken.count === 0;
  const { captionSizeTenths = LIMITS.labelCaptionPt.legible * 10 } = layout;
  const { caption } = look;
  const broken = { ...layout, caption, captionSizeTenths, items: fit.broken.ranges, shiftXUm: 0, shiftYUm: 0 };
  const least = Math.ceil(fit.modules * LIMITS.labelModuleMm.minimum);
  if (!(await isWhole({ ...broken, sizeUm: least * UM_PER_MM }))) {
    return [];
  }
  let [size, most] = [least, Math.floor((layout.sizeUm ?? fit.mostEdgeUm ?? fit.largestEdgeUm) / UM_PER_MM)];
  while (size < most) {
    const middle = Math.ceil((size + most) / 2);
    [size, most] = (await isWhole({ ...broken, sizeUm: middle * UM_PER_MM })) ? [middle, most] : [size, middle - 1];
  }
  const isFound = await isWhole({ ...layout, sizeUm: size * UM_PER_MM });
  return isFound ? [{ name: 'size', value: String(size) }] : [];
}

/** Another place of the texts, a smaller code, and the largest size of texts in whole points, with which labels fit that are refused. */
export async function fittingTexts(
  layout: LabelLayout,
  { misfit, items }: LabelMisfit,
  open: Open,
): Promise<Fitting[]> {
  const isOfText = misfit.kind === 'dense' ? misfit.takenByCaption : ['crowded', 'large'].includes(misfit.kind);
  if (!isOfText) {
    return [];
  }
  const fits = async (changed: LabelLayout) => {
    // Most that do not help fail here, at a few labels.
    const found = await opened(open, { ...changed, items: items.ranges, shiftXUm: 0, shiftYUm: 0 });
    return found === undefined ? undefined : opened(open, changed);
  };
  const fitting: Fitting[] = [];
  for (const caption of (['beside', 'below'] as const).filter((place) => place !== layout.caption)) {
    const found = await fits({ ...layout, caption });
    if (found !== undefined && found.fit.broken.count === 0) {
      fitting.push({ name: 'caption', value: caption });
      break;
    }
  }
  if (misfit.kind === 'large') {
    fitting.push({ name: 'size', value: String(Math.floor(misfit.largest * 10) / 10) });
  }
  if (misfit.kind === 'crowded' && layout.sizeUm !== undefined) {
    const { sizeUm: _size, ...others } = layout;
    const largest = Math.floor(((await fits(others))?.fit.leastEdgeUm ?? 0) / 100) / 10;
    if (largest > 0 && (await fits({ ...layout, sizeUm: largest * UM_PER_MM })) !== undefined) {
      fitting.push({ name: 'size', value: String(largest) });
    }
  }
  const { minimum, legible } = LIMITS.labelCaptionPt;
  let [points, most] = [minimum - 1, Math.ceil((layout.captionSizeTenths ?? legible * 10) / 10) - 1];
  while (points < most) {
    const middle = Math.ceil((points + most) / 2);
    const found = await fits({ ...layout, captionSizeTenths: middle * 10 });
    [points, most] = found === undefined ? [points, middle - 1] : [middle, most];
  }
  if (points >= minimum) {
    fitting.push({ name: 'captionSize', value: String(points) });
  }
  return fitting;
}

/** A choice with which codes are larger, by a millimetre at least. */
export interface Larger {
  widthMm: number;
  /** The place of the texts. */
  caption?: 'beside' | 'below';
  /** Codes that are left out; the others get the width as their size. */
  leaving?: ItemList;
}

/** Another place of the texts, and the few codes to leave out, with which codes are larger that all have the size of the smallest. */
export async function largerCodes(
  layout: LabelLayout,
  { fit, look }: { fit: LabelFit; look: LabelLook },
  open: Open,
): Promise<Larger[]> {
  const count = itemCount(layout);
  const { leastEdgeUm } = fit;
  if (look.largestUm === undefined || leastEdgeUm === undefined || count < 2 || count > MOST_TRIED) {
    return [];
  }
  const least = leastEdgeUm / UM_PER_MM + 1;
  const still = { ...layout, shiftXUm: 0, shiftYUm: 0 };
  const isWhole = (found: { fit: LabelFit } | undefined) => found && found.fit.broken.count <= fit.broken.count;
  const larger: Larger[] = [];
  const caption = look.caption === 'beside' ? 'below' : 'beside';
  const moved = look.caption === 'none' ? undefined : await opened(open, { ...still, caption });
  const widthMm = (moved?.fit.leastEdgeUm ?? 0) / UM_PER_MM;
  if (isWhole(moved) && widthMm >= least) {
    larger.push({ widthMm, caption });
  }
  let [size, most] = [Math.ceil(least) - 1, Math.floor(layout.sheet.labelHeightUm / UM_PER_MM)];
  let leaving: ItemList | undefined;
  while (size < most) {
    const middle = Math.ceil((size + most) / 2);
    const sized = { ...still, sizeUm: middle * UM_PER_MM };
    const refused = await refusedOf(open, sized);
    const items = refused && leavingOut(layout.items, refused.ranges);
    const isFew = refused && refused.count <= Math.max(1, count / CODES_TO_ONE_LEFT_OUT);
    const isLarger = items && isFew && isWhole(await opened(open, { ...sized, items }));
    [size, most] = isLarger ? [middle, most] : [size, middle - 1];
    leaving = isLarger ? refused : leaving;
  }
  return leaving === undefined || leaving.count === 0 ? larger : [...larger, { widthMm: size, leaving }];
}

/** The codes that are refused in a size; undefined where the size is refused for another reason. */
async function refusedOf(open: Open, layout: LabelLayout): Promise<ItemList | undefined> {
  try {
    await open(layout);
    return { count: 0, ranges: [] };
  } catch (error) {
    if (!isInvalid(error)) {
      throw error;
    }
    return error instanceof LabelMisfit ? error.items : undefined;
  }
}

/** Nothing for labels that are refused. */
async function opened(open: Open, layout: LabelLayout): Promise<Awaited<ReturnType<Open>> | undefined> {
  try {
    return await open(layout);
  } catch (error) {
    if (!isInvalid(error)) {
      throw error;
    }
    return undefined;
  }
}

export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'invalid_input';
}
