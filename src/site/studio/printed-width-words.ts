/** Sentences of pages about the size of codes in print. */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { Form } from '../shell/form.js';
import type { Formats } from '../shell/formats.js';
import { millimetres } from '../shell/millimetres.js';
import type { Sides } from './code-sides.js';
import {
  exactDpi,
  inWidth,
  LEAST_MODULE_MM,
  NO_WIDTH,
  type Printed,
  printedBy,
  SAME_MM,
  shownMm,
  toleranceOf,
  USUAL_DPI,
  widestAt,
  widthOf,
} from './printed-width.js';

const POINTS_PER_INCH = 72;

/** Pixels per module at which the size of a caption is one in pixels. */
const CAPTION_SCALE = 10;

/** Letters of this size can just be read in print. */
const LEAST_POINTS = 5;

/** Code widths to the distance from which a code is scanned. */
const WIDTHS_TO_SCAN = 10;

/** Modules to that distance: the camera sees no finer ones, however wide the code is. */
const MODULES_TO_SCAN = 800;

/** The choice of no printer, as a page without scripts calls it: with a width, the resolution follows it. */
export const NO_PRINTER = `${USUAL_DPI} dpi (usual)`;

/** A logo of fewer pixels for an inch shows its pixels in print. */
const LEAST_LOGO_DPI = 120;

/** The size in print as the live page shows it. */
export interface PrintedSize {
  /** The width to fill in for a job that is made again; empty where none gives its settings. Absent for other lists. */
  filledIn?: string;
  scale: number;
  /** The resolution that a width needs where no printer is chosen. Absent where no width is typed: scale and resolution follow none. */
  neededDpi?: number;
  /** Why no codes of the width can be had; empty where they can. */
  problem: string;
  /** Codes are of another width, which people are asked about; empty where they are not. */
  miss: string;
  /** The widths of the codes, and the distance from which they are scanned. */
  sentence: string;
  /** The widest picture is as wide as was asked for, or nothing was. */
  isHeld: boolean;
  /** Size of letters in print, in points, for a caption size of 1. */
  pointsPerSize: number;
  /** Why captions cannot be read; empty where they can. */
  captionProblem: string;
  /** Why the logo prints coarse; empty where it does not. */
  logoProblem: string;
}

/** The size in print, and the width that was asked for: 0 for none. */
interface Order extends Printed {
  widthMm: number;
  /** The choice of a resolution that gives the width. */
  exactChoice: string;
  number: Formats['number'];
}

/**
 * The settings for the width in the form, and what a live page shows of them.
 * @param isMadeAgain the width is that which leads to the settings, if there is one
 */
export function orderedSize(
  form: Form,
  meta: JobMeta,
  { sides, number, isMadeAgain }: { sides: Sides; number: Formats['number']; isMadeAgain: boolean },
): { meta: JobMeta; print: PrintedSize } {
  const typed = form.get('widthMm').trim();
  const filledIn = isMadeAgain && typed === '' ? widthOf(meta, sides) : undefined;
  const widthMm = millimetres(filledIn ?? typed);
  const ordered = inWidth(meta, sides, widthMm);
  const neededDpi = exactDpi(meta, sides, widthMm);
  const order = orderOf(ordered, { sides, widthMm, number }, `${number(neededDpi)} dpi, for this width`);
  const isUnread = typed !== '' && widthMm === 0;
  const problem = isUnread ? NO_WIDTH : problemOf(order);
  const print = {
    ...(isMadeAgain && { filledIn: filledIn ?? '' }),
    scale: order.scale,
    ...(widthMm > 0 && { neededDpi }),
    problem,
    miss: problem === '' ? missOf(order) : '',
    sentence: problem || [widthsOf(order), scanOf(order), ...labelsOf(form, order)].join(' '),
    isHeld: !isUnread && (widthMm === 0 || isHeld(order)),
    pointsPerSize: pointsPerSize(order),
    captionProblem: smallCaption(form, ordered).join(''),
    logoProblem: coarseLogo(form, ordered, sides, { number }).join(''),
  };
  return { meta: ordered, print };
}

/** The settings for a width that was typed on a page without scripts. Records an error where there are none. */
export function orderedWidth(
  form: Form,
  meta: JobMeta,
  { sides, widthMm, number }: { sides: Sides; widthMm: number; number: Formats['number'] },
): JobMeta {
  const ordered = inWidth(meta, sides, widthMm);
  const problem = problemOf(orderOf(ordered, { sides, widthMm, number }));
  if (problem !== '') form.refuse('widthMm', problem);
  return ordered;
}

/** A sentence where codes are of another width than was typed, which people are asked about. `meta`: the settings that follow the width. */
export function missedWidth(
  form: Form,
  meta: JobMeta,
  sides: Sides | undefined,
  { number }: Pick<Formats, 'number'>,
): string[] {
  const widthMm = millimetres(form.get('widthMm'));
  if (sides === undefined) return [];
  return [missOf(orderOf(meta, { sides, widthMm, number }))].filter(Boolean);
}

function orderOf(
  meta: JobMeta,
  { sides, widthMm, number }: { sides: Sides; widthMm: number; number: Formats['number'] },
  exactChoice = NO_PRINTER,
): Order {
  return { ...printedBy(meta, sides), widthMm, exactChoice, number };
}

/** A sentence where captions of this style are too small to read in print. Labels have texts of their own. */
export function smallCaption(form: Form, meta: JobMeta): string[] {
  const { default: usual, maximum } = LIMITS.captionFontSize;
  const { scale = LIMITS.scale.default, dpi = USUAL_DPI, caption } = meta.style ?? {};
  // Points are rounded to a tenth.
  const enough = Math.ceil((LEAST_POINTS - 0.05) / pointsPerSize({ scale, dpi }));
  if (form.get('then') === 'labels' || (caption?.fontSize ?? usual) >= enough) return [];
  const size = enough > maximum ? '' : `, size ${enough}`;
  return [`The caption is too small to read in print: at least ${LEAST_POINTS} pt${size}.`];
}

function pointsPerSize({ scale, dpi }: Pick<Printed, 'scale' | 'dpi'>): number {
  return (scale * POINTS_PER_INCH) / (CAPTION_SCALE * dpi);
}

/** A sentence where the logo has too few pixels for the widest code. Labels have codes of another size. */
export function coarseLogo(
  form: Form,
  meta: JobMeta,
  sides: Sides | undefined,
  { number }: Pick<Formats, 'number'>,
): string[] {
  const { logo } = meta.style ?? {};
  if (logo === undefined || sides === undefined || form.get('then') === 'labels') return [];
  const { scale, dpi, moduleMm } = printedBy(meta, sides);
  const modules = sides.most * (logo.sizeRatio ?? LIMITS.logoSizeRatio.default);
  // The size is in the header of a PNG file (PNG, third edition, 11.2.1). Another file is refused later.
  const header = Buffer.alloc(24);
  header.write(logo.dataUrl.slice(logo.dataUrl.indexOf(',') + 1), 'base64');
  const sizePx = [16, 20].map((offset) => header.readUInt32BE(offset));
  const [longestPx, drawnPx] = [Math.max(...sizePx), modules * scale];
  // Of a large picture, it is the picture that has few pixels.
  const isCoarse = longestPx * dpi < LEAST_LOGO_DPI * drawnPx && 2 * longestPx < drawnPx;
  if (!isCoarse) return [];
  const width = `${number(Math.round(modules * moduleMm))} mm`;
  const size = sizePx.map((px) => number(px)).join(' × ');
  return [`The logo has ${size} pixels: at ${width} it prints coarse. Choose a picture with more pixels.`];
}

/** True where the widest picture is as wide as it was asked for. */
function isHeld({ most, widthMm }: Order): boolean {
  return Math.abs(most - widthMm) < toleranceOf(widthMm);
}

/** Why codes of that width cannot be had. A resolution is a whole number. */
function problemOf(order: Order): string {
  const { widthMm, printer, most, modules } = order;
  if (widthMm === 0 || isHeld(order) || (printer === undefined && Math.abs(most - widthMm) < widthMm / 50)) return '';
  const [asked, wide] = [mm(order, widthMm), mm(order, most)];
  const at = printer === undefined ? '' : ` at ${order.number(printer)} dpi`;
  if (most > widthMm) return `${asked} is too small${at}: ${wide} is the least.`;
  const limit = widestAt(LIMITS.dpi.minimum, modules.most);
  if (widthMm > limit && !isHeld({ ...order, most: limit })) {
    const enlarge = 'An SVG file can be enlarged in another program.';
    return `${asked} is too wide for one picture: ${mm(order, limit)} is the most. ${enlarge}`;
  }
  if (printer === undefined || widthMm <= widestAt(printer, modules.most)) return '';
  return `${asked} is too wide${at}: ${wide} is the most. “${order.exactChoice}” gives ${asked}.`;
}

function missOf(order: Order): string {
  return order.widthMm === 0 || isHeld(order) ? '' : nearestTo(order);
}

function widthsOf(order: Order): string {
  const { widthMm, least, most, modules } = order;
  const [narrow, wide, asked] = [least, most, widthMm].map((width) => mm(order, width));
  const isSame = most - least < SAME_MM;
  const border = modules.quiet > 0 ? ', with the empty border' : '';
  if (widthMm === 0) return `Now ${isSame ? wide : `${narrow} to ${wide}`} at ${order.number(order.dpi)} dpi${border}.`;
  if (wide !== asked) return nearestTo(order);
  if (isSame) return `All pictures are ${asked} wide${border}.`;
  return `The widest picture is ${asked}, the narrowest ${narrow}${border}. “All codes the same size” makes all ${asked}.`;
}

/** The width of the widest code, where it is another than was asked for. With a pixel more for each module it is wider. */
function nearestTo(order: Order): string {
  const { most, scale, widthMm, printer, number } = order;
  const [wide, above, asked] = [most, most + most / scale, widthMm].map((width) => mm(order, width));
  if (printer === undefined) return `${wide} is the nearest to ${asked}.`;
  const at = `At ${number(printer)} dpi, the widest picture can be ${wide} or ${above}, not ${asked}`;
  return `${at}: a module is a whole number of pixels. It will be ${wide}. “${order.exactChoice}” gives ${asked}.`;
}

/** The width of the narrowest code without its quiet zone, and the distance from which it is scanned. */
function scanOf(order: Order): string {
  const { least, most, modules, moduleMm } = order;
  if (moduleMm < LEAST_MODULE_MM) {
    // Rounded up: a code of the width that is named is no longer too small.
    const enough = Math.ceil(10 * modules.most * LEAST_MODULE_MM) / 10;
    return `Too small to scan in print: at least ${mm(order, enough)}.`;
  }
  const code = (modules.least - modules.quiet) * moduleMm;
  const scans = `from about ${distance(order, Math.min(WIDTHS_TO_SCAN * code, MODULES_TO_SCAN * moduleMm))}`;
  if (modules.quiet === 0) return `Scans ${scans}.`;
  const which = most - least < SAME_MM ? 'code' : 'narrowest code';
  return `The ${which} itself is ${mm(order, code)} wide. It scans ${scans}.`;
}

function labelsOf(form: Form, { widthMm }: Order): string[] {
  const isForLabels = widthMm > 0 && form.get('then') === 'labels';
  return isForLabels ? ['On label sheets, you choose the size with the labels.'] : [];
}

export function mm({ number }: Pick<Formats, 'number'>, width: number): string {
  return `${number(shownMm(width))} mm`;
}

function distance({ number }: Order, width: number): string {
  return width < 995 ? `${number(Math.round(width / 10))} cm` : `${number(Math.round(width / 100) / 10)} m`;
}
