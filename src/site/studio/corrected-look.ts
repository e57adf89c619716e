/** The look of a code that takes the place of another one of its job, and what people are asked about it. */

import type { JobMeta } from '../../contract/request-schema.js';
import { Form } from '../shell/form.js';
import type { PlacedItem } from '../shell/draw-samples.js';
import type { CorrectedLook, Replacement } from '../shell/corrected-look.js';
import type { Needs } from '../shell/page-dependencies.js';
import { sampleSides, versionOf } from './code-sides.js';
import { samplesOf } from './preview.js';
import { asWideAs, isTooSmallInPrint, printedBy, printerOfJob, toleranceOf, withCaptionAsIn } from './printed-width.js';
import { mm } from './printed-width-words.js';

/**
 * The look of a job for a code of other data: as wide in print, and of a larger version where the job's does not hold it.
 * @param settings those by which the job was drawn
 * @throws ApiError as a job with this data would
 */
export async function lookOfCorrected(
  needs: Needs<'engine'>,
  holder: string,
  settings: JobMeta,
  replacement: Replacement,
): Promise<CorrectedLook> {
  const sized = await sizedAs(needs, holder, settings, replacement);
  const { dpi: _, ...style } = sized.meta.style ?? {};
  return { ...sized, judged: isTooSmallInPrint(settings.style ?? {}) ? { ...sized.meta, style } : sized.meta };
}

async function sizedAs(
  needs: Needs<'engine'>,
  holder: string,
  settings: JobMeta,
  { replaced, data, number, ordered }: Replacement,
): Promise<Omit<CorrectedLook, 'judged'>> {
  const { version, ...others } = settings.style ?? {};
  const isInPrint = others.dpi !== undefined;
  if (typeof version !== 'number' && !isInPrint) return { meta: settings, misses: [] };
  const sidesOf = (text: string, meta: JobMeta) => sampleSides(needs, holder, { meta, items: [{ data: text }] });
  const free = { ...settings, style: others };
  const needed = await sidesOf(data, free);
  if (typeof version === 'number' && versionOf(needed.most) <= version) return { meta: settings, misses: [] };
  const before = await sidesOf(replaced, settings);
  const printer = printerOfJob(settings, ordered);
  const meta = isInPrint
    ? withCaptionAsIn(settings, asWideAs(free, { replaced: before, sides: needed, printer }))
    : free;
  const { scale, most: wide, modules } = printedBy(meta, needed);
  const { most: asked, modules: modulesBefore } = printedBy(settings, before);
  if (!isInPrint) {
    const [px, pxBefore] = [modules, modulesBefore].map(({ most }) => number(most * scale));
    const larger = `Its picture is larger: ${px} pixels wide, not ${pxBefore}.`;
    return { meta, misses: [`This text is too long for the size that the codes of the job have. ${larger}`] };
  }
  const isHeld = Math.abs(wide - asked) < toleranceOf(asked);
  const its = printer === undefined ? 'Its' : `At ${number(printer)} dpi, its`;
  return {
    meta,
    misses: isHeld ? [] : [`${its} picture is ${mm({ number }, wide)} wide in print, not ${mm({ number }, asked)}.`],
  };
}

/** Reasons not to make a code in this look: those of which the studio asks. */
export async function risksOf(
  needs: Needs<'engine'>,
  holder: string,
  meta: JobMeta,
  item: PlacedItem,
): Promise<string[]> {
  const drawn = { form: new Form(), meta, items: [item], isLookFixed: true };
  const { risks, logoRisks } = await samplesOf(needs, holder, drawn);
  // Their other sentences say how to change the look.
  const found = [...risks, ...logoRisks.map((text) => text.replace(/\. .*$/, '.'))];
  if (found.length === 0) return [];
  return [...found, 'The look cannot be changed here. To change it, use Make again on the page of the job.'];
}
