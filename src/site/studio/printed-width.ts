/** Scale and resolution for the width in print that a person typed. */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta, Style } from '../../contract/request-schema.js';
import type { SourcePlaces } from '../../jobs/source-places.js';
import type { Form } from '../shell/form.js';
import { MM_PER_INCH, millimetres } from '../shell/millimetres.js';
import { type Sides, withQuietZone } from './code-sides.js';

/** Scanners need modules of this width. */
export const LEAST_MODULE_MM = 0.25;

/** The resolution that printers usually have. Pages name widths at it where the person chose none. */
export const USUAL_DPI = 300;

/** The resolution for logos, whose edges are finer than modules. */
const LOGO_DPI = 600;

/** Resolutions that the form offers. Another one was found for a width, of another list. */
export const PRINTERS_DPI = [150, 203, 300, 600, 1_200];

/** Scales that are tried for a width. */
const MOST_SCALES = 6;

/** Widths that differ by less are the same to people. */
export const SAME_MM = 0.1;

/** Modules across a code of the last version (ISO/IEC 18004, 5.3.1). */
const WIDEST_CODE = 177;

/** The size in print of codes. Widths are millimetres. */
export interface Printed {
  scale: number;
  dpi: number;
  /** The resolution of a printer that was chosen. */
  printer: number | undefined;
  /** Modules across the narrowest and the widest picture, and those of the quiet zone, on both sides. */
  modules: Sides & { quiet: number };
  moduleMm: number;
  /** Widths of the narrowest and the widest picture. */
  least: number;
  most: number;
}

export const NO_WIDTH = 'Type a width such as 30 mm, 3 cm or 1.2 in.';

/** The width in millimetres; undefined where none was typed. Records an error for another text. */
export function typedWidth(form: Form): number | undefined {
  const text = form.get('widthMm').trim();
  if (text === '') return undefined;
  const widthMm = millimetres(text);
  if (widthMm === 0) form.refuse('widthMm', NO_WIDTH);
  return widthMm;
}

/** The settings that make the widest picture as wide as can be had, and with a printer of its own no wider. */
export function inWidth(meta: JobMeta, sides: Sides, widthMm: number): JobMeta {
  if (widthMm === 0) return meta;
  const { most } = withQuietZone(sides, meta);
  return { ...meta, style: { ...meta.style, ...fitted(meta, most, widthMm, printerOf(meta)) } };
}

/**
 * The settings that make a picture as wide in print as another one: at the same scale, unless no resolution leads to the width. For a
 * printer, at its resolution, and no wider.
 */
export function asWideAs(
  meta: JobMeta,
  { replaced, sides, printer }: { replaced: Sides; sides: Sides; printer: number | undefined },
): JobMeta {
  const { scale, most: widthMm } = printedBy(meta, replaced);
  const { most: modules } = withQuietZone(sides, meta);
  if (printer !== undefined) {
    return { ...meta, style: { ...meta.style, ...fitted(meta, modules, widthMm, printer) } };
  }
  const dpi = Math.round((modules * scale * MM_PER_INCH) / widthMm);
  const isHeld = dpi >= LIMITS.dpi.minimum && dpi <= LIMITS.dpi.maximum && scale <= mostScale(modules);
  return { ...meta, style: { ...meta.style, ...(isHeld ? { dpi } : fitted(meta, modules, widthMm)) } };
}

/** The settings with captions of the size in print that those of `before` have. */
export function withCaptionAsIn(before: JobMeta, meta: JobMeta): JobMeta {
  const { minimum, maximum, default: usual } = LIMITS.captionFontSize;
  const perMm = ({ style: { scale = LIMITS.scale.default, dpi = USUAL_DPI } = {} }: JobMeta) => scale / dpi;
  const size = Math.round(((before.style?.caption?.fontSize ?? usual) * perMm(before)) / perMm(meta));
  const caption = { ...meta.style?.caption, fontSize: Math.min(Math.max(size, minimum), maximum) };
  return { ...meta, style: { ...meta.style, caption } };
}

/**
 * The settings to check a list with. Where a width is typed, the scale follows from the sizes of its codes: that of the form may be of
 * another list, and is lowered until any code is one picture, with room for its caption.
 */
export function beforeSizes(form: Form, meta: JobMeta): JobMeta {
  const { scale = LIMITS.scale.default, margin = LIMITS.margin.default } = meta.style ?? {};
  if (form.get('widthMm').trim() === '') return meta;
  const most = Math.floor(mostScale(WIDEST_CODE + 2 * margin) / 2);
  return { ...meta, style: { ...meta.style, scale: Math.min(scale, most) } };
}

/** Scale and resolution for a picture of so many modules. */
function fitted(
  { style }: JobMeta,
  modules: number,
  widthMm: number,
  printer?: number,
): { scale: number; dpi: number } {
  const pixelsAt = (mm: number, dpi: number) => ((mm / MM_PER_INCH) * dpi) / modules;
  const within = (scale: number) => Math.max(LIMITS.scale.minimum, Math.min(scale, mostScale(modules)));
  if (printer !== undefined) {
    return { scale: within(Math.floor(pixelsAt(widthMm + toleranceOf(widthMm), printer))), dpi: printer };
  }
  const exact = (scale: number) => Math.round((modules * scale * MM_PER_INCH) / widthMm);
  // A resolution that was found for a width is at least that of the printer that was chosen before.
  const least = PRINTERS_DPI.findLast((dpi) => dpi <= (style?.dpi ?? 0)) ?? 0;
  const nearest = Math.round(pixelsAt(widthMm, Math.max(least, style?.logo ? LOGO_DPI : USUAL_DPI)));
  const first = exact(nearest) < least ? nearest + 1 : nearest;
  // Resolutions are whole numbers: a pixel more for each module may come nearer to the width.
  const found = Array.from({ length: MOST_SCALES }, (_, more) => {
    const scale = within(first + more);
    return { scale, dpi: Math.max(LIMITS.dpi.minimum, Math.min(LIMITS.dpi.maximum, exact(scale))) };
  });
  const isExact = ({ scale, dpi }: { scale: number; dpi: number }) =>
    shownMm((modules * scale * MM_PER_INCH) / dpi) === shownMm(widthMm);
  return found.find(isExact) ?? (found[0] as { scale: number; dpi: number });
}

/** A width as pages show it, in millimetres. */
export function shownMm(widthMm: number): number {
  return Math.round(10 * widthMm) / 10;
}

/** The resolution at which the widest picture has a width: at least that which was chosen, where one has it. */
export function exactDpi(meta: JobMeta, sides: Sides, widthMm: number): number {
  return fitted(meta, withQuietZone(sides, meta).most, widthMm).dpi;
}

/** The resolution of a printer that was chosen. */
function printerOf({ style }: JobMeta): number | undefined {
  return PRINTERS_DPI.find((dpi) => dpi === style?.dpi);
}

/**
 * The resolution of the printer that was chosen for a job. Without a width that was typed, the usual one is what jobs have for which
 * nobody chose any.
 */
export function printerOfJob(meta: JobMeta, ordered: SourcePlaces['ordered']): number | undefined {
  const printer = printerOf(meta);
  const isChosen = ordered ? ordered.dpi === String(printer) : printer !== USUAL_DPI;
  return isChosen ? printer : undefined;
}

/** The largest scale at which a code of so many modules is one picture. */
function mostScale(modules: number): number {
  return Math.max(1, Math.min(LIMITS.scale.maximum, Math.floor(LIMITS.sidePx / modules)));
}

/** Widths that differ by less from one that is asked for are the same to people. */
export function toleranceOf(widthMm: number): number {
  return Math.max(SAME_MM, widthMm / 200);
}

/** The width in whole millimetres, or tenths, that leads to the settings of a job; undefined where none does. */
export function widthOf(meta: JobMeta, sides: Sides): string | undefined {
  const { scale, dpi, most, modules } = printedBy(meta, sides);
  return [most.toFixed(0), most.toFixed(1)].find((text) => {
    const found = fitted(meta, modules.most, Number(text));
    return found.scale === scale && found.dpi === dpi;
  });
}

/**
 * The fields that lead to these settings again, and to the same width with another list: the resolution is empty where it follows from
 * the width alone. Undefined where no width was ordered.
 */
export function orderedFields(form: Form, meta: JobMeta, sides: Sides | undefined): SourcePlaces['ordered'] {
  const widthMm = form.get('widthMm').trim();
  if (sides === undefined || millimetres(widthMm) === 0) return undefined;
  const { scale, dpi } = printedBy(meta, sides);
  const { dpi: _, ...others } = meta.style ?? {};
  const free = fitted({ style: others }, withQuietZone(sides, meta).most, millimetres(widthMm));
  return { widthMm, dpi: free.scale === scale && free.dpi === dpi ? '' : String(dpi) };
}

/** The size in print that the settings give. */
export function printedBy(meta: JobMeta, sides: Sides): Printed {
  const { scale = LIMITS.scale.default, dpi = USUAL_DPI } = meta.style ?? {};
  const pictures = withQuietZone(sides, meta);
  const modules = { ...pictures, quiet: pictures.most - sides.most };
  const moduleMm = (scale * MM_PER_INCH) / dpi;
  const [least, most] = [modules.least * moduleMm, modules.most * moduleMm];
  return { scale, dpi, printer: printerOf(meta), modules, moduleMm, least, most };
}

/** The greatest width of a code of so many modules. */
export function widestAt(dpi: number, modules: number): number {
  return (modules * mostScale(modules) * MM_PER_INCH) / dpi;
}

/** True where scanners cannot read codes of this style that are printed. */
export function isTooSmallInPrint({ scale = LIMITS.scale.default, dpi = USUAL_DPI }: Style): boolean {
  return (scale * MM_PER_INCH) / dpi < LEAST_MODULE_MM;
}

/** The settings of a job: its files say how large they are to layout programs where the person chose no resolution, too. */
export function withResolution(meta: JobMeta): JobMeta {
  return { ...meta, style: { dpi: USUAL_DPI, ...meta.style } };
}
