/** Scale and resolution for the width in print that a person typed on a page without scripts: a script of the page finds them itself. */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta, Style } from '../../contract/request-schema.js';
import type { Form } from '../shell/form.js';
import type { Formats } from '../shell/formats.js';
import { withQuietZone } from './studio-check.js';

const MM_PER_INCH = 25.4;

const POINTS_PER_INCH = 72;

/** Pixels per module at which the size of a caption is one in pixels. */
const CAPTION_SCALE = 10;

/** Scanners need modules of this width. */
const LEAST_MODULE_MM = 0.25;

/** Letters of this size can just be read in print. */
const LEAST_POINTS = 5;

/** The resolution that printers usually have. Pages name widths at it where the person chose none. */
export const USUAL_DPI = 300;

/** Resolutions that the form offers. Another one was found for a width, of another list. */
export const PRINTERS_DPI = [150, 203, 300, 600, 1_200];

/** Widths that differ by less are the same to people. */
const SAME_MM = 0.1;

/** Part of a width that codes may lack before people are asked about it. */
const MOST_MISSED = 0.05;

/** Such as `30`, `8,5`, `30 mm` and `3 cm`. */
const WIDTH = /^(\d{1,4}(?:[.,]\d{1,3})?)\s*(mm|cm)?$/i;

/** A typed width in millimetres; 0 for another text. */
export function millimetres(text: string): number {
  const [, count = '', unit = ''] = WIDTH.exec(text.trim()) ?? [];
  return Number(count.replace(',', '.')) * (unit.toLowerCase() === 'cm' ? 10 : 1);
}

/** The width in millimetres; undefined where none was typed. Records an error for another text. */
export function typedWidth(form: Form): number | undefined {
  const text = form.get('widthMm').trim();
  if (text === '') return undefined;
  const widthMm = millimetres(text);
  if (widthMm === 0) form.refuse('widthMm', 'Type the width in millimetres, such as 30.');
  return widthMm;
}

/** The settings that make the widest picture that wide. Records an error where there are none. `sides`: of the codes, in modules. */
export function inWidth(
  form: Form,
  meta: JobMeta,
  { widthMm, sides, number }: { widthMm: number; sides: { least: number; most: number }; number: Formats['number'] },
): JobMeta {
  const modules = withQuietZone(sides, meta).most;
  const chosen = PRINTERS_DPI.find((dpi) => dpi === meta.style?.dpi);
  const { minimum, maximum } = LIMITS.scale;
  const within = (scale: number) => Math.max(minimum, Math.min(scale, maximum, Math.floor(LIMITS.sidePx / modules)));
  const pixelsAt = (dpi: number) => (widthMm * dpi) / MM_PER_INCH / modules;
  // With a printer of its own, no wider than asked for.
  const scale = within(chosen === undefined ? Math.round(pixelsAt(USUAL_DPI)) : Math.floor(pixelsAt(chosen) + 0.01));
  const exact = Math.round((modules * scale * MM_PER_INCH) / widthMm);
  const dpi = chosen ?? Math.max(LIMITS.dpi.minimum, Math.min(LIMITS.dpi.maximum, exact));
  const moduleMm = MM_PER_INCH / dpi;
  const found = modules * scale * moduleMm;
  const tolerance = Math.max(SAME_MM, widthMm / 50);
  if (found > widthMm + tolerance || found < widthMm - tolerance - (chosen === undefined ? 0 : modules * moduleMm)) {
    const [size, limit] = found > widthMm ? ['small', 'least'] : ['wide', 'most'];
    const nearest = number(Math.round(10 * found) / 10);
    const printer = chosen === undefined ? '' : ` at ${number(chosen)} dpi`;
    form.refuse('widthMm', `${number(widthMm)} mm is too ${size}${printer}: ${nearest} mm is the ${limit}.`);
  }
  return { ...meta, style: { ...meta.style, scale, dpi } };
}

/** A sentence where codes are so much narrower than was typed that people are asked. `widest`: of the codes, in millimetres. */
export function missedWidth(
  form: Form,
  { style: { scale = LIMITS.scale.default, dpi = USUAL_DPI } = {} }: JobMeta,
  widest: number | undefined,
  { number }: Pick<Formats, 'number'>,
): string[] {
  const widthMm = millimetres(form.get('widthMm'));
  if (widest === undefined || widest >= widthMm * (1 - MOST_MISSED)) return [];
  // With a pixel more for each module.
  const wider = widest + widest / scale;
  const [wide, above, asked] = [widest, wider, widthMm].map((mm) => `${number(Math.round(10 * mm) / 10)} mm`);
  const at = `At ${number(dpi)} dpi, the widest picture can be ${wide} or ${above}, not ${asked}`;
  return [`${at}: a module is a whole number of pixels. It will be ${wide}. “300 dpi (usual)” gives ${asked}.`];
}

/** A sentence where captions of this style are too small to read in print. */
export function smallCaption({ style = {} }: JobMeta): string[] {
  const { scale = LIMITS.scale.default, dpi = USUAL_DPI, caption } = style;
  const { default: usual, maximum } = LIMITS.captionFontSize;
  const pointsPerSize = (scale * POINTS_PER_INCH) / (CAPTION_SCALE * dpi);
  // Points are rounded to a tenth.
  const enough = Math.ceil((LEAST_POINTS - 0.05) / pointsPerSize);
  if ((caption?.fontSize ?? usual) >= enough) return [];
  const size = enough > maximum ? '' : `, size ${enough}`;
  return [`The caption is too small to read in print: at least ${LEAST_POINTS} pt${size}.`];
}

/** True where scanners cannot read codes of this style that are printed. */
export function isTooSmallInPrint({ scale = LIMITS.scale.default, dpi = USUAL_DPI }: Style): boolean {
  return (scale * MM_PER_INCH) / dpi < LEAST_MODULE_MM;
}

/** The settings of a job: its files say how large they are to layout programs where the person chose no resolution, too. */
export function withResolution(meta: JobMeta): JobMeta {
  return { ...meta, style: { dpi: USUAL_DPI, ...meta.style } };
}
