/** Choices that help where texts do not fit their labels, or words of them break: each is tried before it is offered. */

import { ApiError } from '../../contract/errors.js';
import { type LabelFit, type LabelMisfit, UM_PER_MM } from '../../contract/label-fit.js';
import { itemCount, type LabelLayout, type LabelLook } from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';

/** Opens labels. Rejects where they are refused. */
type Open = (layout: LabelLayout) => Promise<{ fit: LabelFit; look: LabelLook }>;

/** Fields that keep words whole that are broken: `caption` below the code, smaller letters, or a smaller code. @param layout as it is drawn */
export async function remediesOfBroken(
  layout: LabelLayout,
  { broken, modules }: LabelFit,
  open: Open,
): Promise<string[]> {
  const of = { ...layout, items: broken.ranges, shiftXUm: 0, shiftYUm: 0 };
  const sizeUm = Math.ceil(modules * LIMITS.labelModuleMm.minimum * UM_PER_MM);
  const { captionSizeTenths = LIMITS.labelCaptionPt.legible * 10 } = layout;
  const changes = {
    caption: { ...of, caption: 'below' },
    size: { ...of, sizeUm, captionSizeTenths },
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

/** The largest size of codes in whole millimetres at which no word breaks, where a smaller code is a remedy. */
export async function fittingSize(
  layout: LabelLayout,
  { fit, look, remedies }: { fit: LabelFit; look: LabelLook; remedies: readonly string[] },
  open: Open,
): Promise<Fitting[]> {
  if (!remedies.includes('size')) {
    return [];
  }
  const isWhole = async (changed: LabelLayout) => (await opened(open, changed))?.fit.broken.count === 0;
  const { captionSizeTenths = LIMITS.labelCaptionPt.legible * 10 } = layout;
  const { caption } = look;
  const broken = { ...layout, caption, captionSizeTenths, items: fit.broken.ranges, shiftXUm: 0, shiftYUm: 0 };
  const least = Math.ceil(fit.modules * LIMITS.labelModuleMm.minimum);
  let [size, most] = [least - 1, Math.floor((layout.sizeUm ?? fit.mostEdgeUm ?? fit.largestEdgeUm) / UM_PER_MM)];
  while (size < most) {
    const middle = Math.ceil((size + most) / 2);
    [size, most] = (await isWhole({ ...broken, sizeUm: middle * UM_PER_MM })) ? [middle, most] : [size, middle - 1];
  }
  const isFound = size >= least && (await isWhole({ ...layout, sizeUm: size * UM_PER_MM }));
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
