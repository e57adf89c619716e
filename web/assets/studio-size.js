/** The size in print. A width that a person asks for stays: scale and resolution follow it, and what cannot be had is said. */

import { one } from './elements.js';
import { form, known, number } from './studio-form.js';
import { showState } from './studio-price.js';

const scale = one(form, '[name=scale]', HTMLInputElement);
const dpi = one(form, '[name=dpi]', HTMLSelectElement);
const width = one(form, '[name=widthMm]', HTMLInputElement);
const margin = one(form, '[name=margin]', HTMLInputElement);
const said = one(form, '[data-size]', HTMLElement);
const fontSize = one(form, '[name=fontSize]', HTMLInputElement);
const follows = one(form, '[data-follows]', HTMLElement);
/** The choice of no printer: the usual resolution, or that which a width needs. */
const usual = one(dpi, 'option', HTMLOptionElement);
const USUAL = usual.text;
const decimal = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

const MM_PER_INCH = 25.4;

/** The resolution that printers usually have. */
const USUAL_DPI = 300;

/** Scanners need modules of this width. The engine warns below it, where a resolution is chosen. */
const LEAST_MODULE_MM = 0.25;

/** Widths that differ by less are the same to people. */
const SAME_MM = 0.1;

/** Part of a width that codes may lack before people are asked about it. */
const MOST_MISSED = 0.05;

const [leastDpi = 0, mostDpi = 0, sidePx = 0] = (dpi.dataset.limits ?? '').split(' ').map(Number);

const POINTS_PER_INCH = 72;

/** Pixels per module at which the size of a caption is one in pixels. */
const CAPTION_SCALE = 10;

/** Letters of this size can just be read in print. */
const LEAST_POINTS = 5;

/** Code widths to the distance from which a code is scanned. */
const WIDTHS_TO_SCAN = 10;

/** Modules to that distance: the camera sees no finer ones, however wide the code is. */
const MODULES_TO_SCAN = 800;

/** Modules across the narrowest and the widest picture, with the quiet zone; undefined until a code was drawn. */
let modules;
/** Those of its quiet zone, on both sides. */
let quietModules = 0;
/** The first code in pixels. */
let sizePx;

width.addEventListener('input', () => {
  // The resolution that an order set goes with it. A style may have one of its own.
  if (wished() === 0 && chosenDpi() === undefined) usual.selected = true;
  follow();
});
// Before the form shows its values.
dpi.addEventListener('input', follow);
scale.addEventListener('input', showWidth);
fontSize.addEventListener('input', showCaptionSize);
// A form leaves out what cannot be changed.
form.addEventListener('formdata', ({ formData }) => formData.set(scale.name, scale.value));

/**
 * Takes over the sizes of a preview. True where scale or resolution had to follow them.
 * @param {{ widthPx: number, heightPx: number } | undefined} size
 * @param {{ least: number, most: number } | undefined} shown
 */
export function takeSizes(size, shown) {
  sizePx = size ?? sizePx;
  const quiet = 2 * Number(margin.value);
  const sides = countedSides();
  const found = sides ? { least: sides.least + quiet, most: sides.most + quiet } : shown;
  if (found) [modules, quietModules] = [found, quiet];
  const before = `${scale.value} ${dpi.value}`;
  if (known.hasWidth && sides) fillWidth();
  follow();
  return before !== `${scale.value} ${dpi.value}`;
}

/** The version that all codes of the list get, where they get the same: the first ones alone may need a smaller one. */
export function sameVersion() {
  const isSame = one(form, '[name=version]', HTMLSelectElement).value === 'same';
  const sides = countedSides();
  return isSame && sides ? String((sides.most - 17) / 4) : '';
}

/** Modules across the narrowest and the widest code of the list; undefined until it is checked as the form now has it. */
function countedSides() {
  return known.checked?.shape === shapeOf() ? known.checked.sides : undefined;
}

/** The parts of the style that decide how many modules a code has. */
export function shapeOf() {
  return JSON.stringify(['ecLevel', 'version', 'eci'].map((name) => new FormData(form).get(name)));
}

/** The width that is asked for, in millimetres; 0 where none is. */
function wished() {
  const [, count = '', unit] = /^([\d.,]+)\s*(mm|cm)?$/i.exec(width.value.trim()) ?? [];
  return Number(count.replace(',', '.')) * (unit?.toLowerCase() === 'cm' ? 10 : 1) || 0;
}

/** Fills in the width that gives the scale and the resolution of a job that is made again, if there is one. */
function fillWidth() {
  known.hasWidth = false;
  if (wished() > 0) return;
  const side = (modules.most * Number(scale.value) * MM_PER_INCH) / Number(dpi.value);
  const isThat = (text) => {
    const needed = neededBy(Number(text));
    return needed.scale === Number(scale.value) && needed.dpi === Number(dpi.value);
  };
  width.value = [side.toFixed(0), side.toFixed(1)].find(isThat) ?? '';
}

/** Scale and resolution that give a width, near the usual resolution. */
function neededBy(wish) {
  const pixels = withinScale(Math.round(((wish / MM_PER_INCH) * USUAL_DPI) / modules.most));
  const exact = Math.round((modules.most * pixels * MM_PER_INCH) / wish);
  return { scale: pixels, dpi: Math.min(mostDpi, Math.max(leastDpi, exact)) };
}

function follow() {
  const wish = wished();
  const isAsked = wish > 0 && modules !== undefined;
  const chosen = chosenDpi();
  scale.disabled = isAsked;
  follows.hidden = !isAsked;
  if (wish === 0) nameUsual('', USUAL);
  if (isAsked) {
    const needed = neededBy(wish);
    nameUsual(String(needed.dpi), `${needed.dpi} dpi, for this width`);
    if (chosen === undefined) {
      usual.selected = true;
      scale.value = String(needed.scale);
    } else {
      // No wider than the wish.
      const fit = ((wish + tolerance()) / MM_PER_INCH) * (chosen / modules.most);
      scale.value = String(withinScale(Math.floor(fit)));
    }
    // A resolution that an earlier page found for a width.
    for (const option of dpi.querySelectorAll('[data-computed]')) if (option !== usual) option.remove();
  }
  showWidth();
}

function nameUsual(value, text) {
  usual.value = value;
  usual.text = text;
  usual.toggleAttribute('data-computed', value !== '');
}

function withinScale(value) {
  return Math.min(mostScale(), Math.max(Number(scale.min), value));
}

/** The largest scale at which the widest code is one picture. */
function mostScale() {
  return Math.max(1, Math.min(Number(scale.max), Math.floor(sidePx / modules.most)));
}

/** The resolution of a printer that was chosen in the list. */
function chosenDpi() {
  const isPrinter = dpi.value !== '' && dpi.selectedOptions[0]?.dataset.computed === undefined;
  return isPrinter ? Number(dpi.value) : undefined;
}

/** The widths of codes in print, and the distance from which they are read. */
export function showWidth() {
  known.widthProblem = '';
  showWidths();
  showCaptionSize();
  showState();
}

function showCaptionSize() {
  const pixels = (Number(fontSize.value) * Number(scale.value)) / CAPTION_SCALE;
  // Points are rounded to a tenth.
  const enough = Math.ceil(
    ((LEAST_POINTS - 0.05) * resolution() * CAPTION_SCALE) / (POINTS_PER_INCH * Number(scale.value)),
  );
  const points = Math.round((10 * pixels * POINTS_PER_INCH) / resolution()) / 10;
  one(form, '[data-points]', HTMLElement).textContent = `, ${decimal.format(points)} pt in print`;
  // Whoever has chosen nothing for print may not print.
  const isForPrint = width.value.trim() !== '' || dpi.value !== '';
  one(form, '#fontSize-hint', HTMLElement).textContent =
    isForPrint && points < LEAST_POINTS
      ? `The caption is too small to read in print: at least ${LEAST_POINTS} pt${enough > Number(fontSize.max) ? '' : `, size ${enough}`}.`
      : '';
}

function resolution() {
  return Number(dpi.value) || USUAL_DPI;
}

function showWidths() {
  const invalid = width.value.trim() !== '' && !(wished() > 0);
  width.setAttribute('aria-invalid', String(invalid));
  if (invalid) {
    known.widthMiss = '';
    said.classList.add('danger');
    said.textContent = known.widthProblem = 'Type the width in millimetres, such as 30.';
    return;
  }
  if (!modules) return;
  const [least, most, code] = [modules.least, modules.most, modules.least - quietModules].map(
    (count) => (count * Number(scale.value) * MM_PER_INCH) / resolution(),
  );
  const onLabels = wished() > 0 && new FormData(form).get('then') === 'labels';
  known.widthProblem = problemOf(most);
  const isMissed = known.widthProblem === '' && !isHeld(most) && most < wished() * (1 - MOST_MISSED);
  known.widthMiss = isMissed ? nearestTo(most) : '';
  said.classList.toggle('danger', wished() > 0 && !isHeld(most));
  const moduleMm = (Number(scale.value) * MM_PER_INCH) / resolution();
  const isTooSmall = moduleMm < LEAST_MODULE_MM;
  // Rounded up: a code of the width that is named is no longer too small.
  const enough = Math.ceil(10 * modules.most * LEAST_MODULE_MM) / 10;
  said.textContent = [
    known.widthProblem || widthsOf(least, most),
    isTooSmall
      ? `Too small to scan in print: at least ${decimal.format(enough)} mm.`
      : scanOf(code, moduleMm, most - least < SAME_MM),
    ...(onLabels ? ['On label sheets, you choose the size with the labels.'] : []),
  ].join(' ');
  one(form, '[data-pixels]', HTMLElement).textContent = sizePx
    ? `First code: ${number.format(sizePx.widthPx)} × ${number.format(sizePx.heightPx)} px.`
    : '';
}

/** True where the widest code is as wide as it was asked for. */
function isHeld(most) {
  return Math.abs(most - wished()) < tolerance();
}

/** Widths that differ by less from the one that is asked for are the same to people. */
function tolerance() {
  return Math.max(SAME_MM, wished() / 200);
}

function widthsOf(least, most) {
  const wish = wished();
  const [narrow, wide, asked] = [least, most, wish].map((mm) => `${decimal.format(mm)} mm`);
  const isSame = most - least < SAME_MM;
  const border = quietModules > 0 ? ', with the empty border' : '';
  const at = `at ${number.format(resolution())} dpi`;
  if (wish === 0) return isSame ? `Now ${wide} ${at}${border}.` : `Now ${narrow} to ${wide} ${at}${border}.`;
  // Resolutions are whole numbers, which tells at large widths.
  if (Math.abs(most - wish) < Math.max(SAME_MM, wish / 500)) {
    if (isSame) return `All pictures are ${asked} wide${border}.`;
    return `The widest picture is ${asked}, the narrowest ${narrow}${border}. “All codes the same size” makes all ${asked}.`;
  }
  return nearestTo(most);
}

/** The width of the widest code, where it is another than was asked for. With a pixel more for each module it is wider. */
function nearestTo(most) {
  const wider = most + most / Number(scale.value);
  const [wide, above, asked] = [most, wider, wished()].map((mm) => `${decimal.format(mm)} mm`);
  if (chosenDpi() === undefined) return `${wide} is the nearest to ${asked}.`;
  const at = `At ${number.format(chosenDpi() ?? 0)} dpi, the widest picture can be ${wide} or ${above}, not ${asked}`;
  return `${at}: a module is a whole number of pixels. It will be ${wide}. “${usual.text}” gives ${asked}.`;
}

/** Why codes of that width cannot be had. The `most` is the width of the widest code. A resolution is a whole number. */
function problemOf(most) {
  const wish = wished();
  if (wish === 0 || isHeld(most) || (chosenDpi() === undefined && Math.abs(most - wish) < wish / 50)) return '';
  const [asked, wide] = [wish, most].map((mm) => `${decimal.format(mm)} mm`);
  const dpiName = chosenDpi() === undefined ? '' : ` at ${number.format(chosenDpi() ?? 0)} dpi`;
  if (most > wish) return `${asked} is too small${dpiName}: ${wide} is the least.`;
  const widest = (perInch) => (modules.most * mostScale() * MM_PER_INCH) / perInch;
  const limit = widest(leastDpi);
  if (wish > limit && !isHeld(limit)) {
    const enlarge = 'An SVG file can be enlarged in another program.';
    return `${asked} is too wide for one picture: ${decimal.format(limit)} mm is the most. ${enlarge}`;
  }
  const chosen = chosenDpi();
  if (chosen === undefined || wish <= widest(chosen)) return '';
  return `${asked} is too wide${dpiName}: ${wide} is the most. “${usual.text}” gives ${asked}.`;
}

/** The width of the narrowest code without its quiet zone, and the distance from which it is scanned. */
function scanOf(code, moduleMm, isSame) {
  const scans = `from about ${distance(Math.min(WIDTHS_TO_SCAN * code, MODULES_TO_SCAN * moduleMm))}`;
  if (quietModules === 0) return `Scans ${scans}.`;
  return `The ${isSame ? 'code' : 'narrowest code'} itself is ${decimal.format(code)} mm wide. It scans ${scans}.`;
}

function distance(mm) {
  return mm < 995 ? `${number.format(Math.round(mm / 10))} cm` : `${decimal.format(mm / 1_000)} m`;
}
