/** The size in print. A width that a person asks for stays: scale and resolution follow it, and what cannot be had is said. */

import { one } from './elements.js';
import { form, known, number } from './studio-form.js';
import { showState } from './studio-price.js';

const scale = one(form, '[name=scale]', HTMLInputElement);
const dpi = one(form, '[name=dpi]', HTMLSelectElement);
const width = one(form, '[name=widthMm]', HTMLInputElement);
const margin = one(form, '[name=margin]', HTMLInputElement);
const said = one(form, '[data-size]', HTMLElement);
const millimetres = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

const MM_PER_INCH = 25.4;

/** The resolution that printers usually have. */
const USUAL_DPI = 300;

/** Scanners need modules of this width. The engine warns below it, where a resolution is chosen. */
const LEAST_MODULE_MM = 0.25;

/** Widths that differ by less are the same to people. */
const SAME_MM = 0.1;

const [leastDpi = 0, mostDpi = 0, sidePx = 0] = (dpi.dataset.limits ?? '').split(' ').map(Number);

/** Code widths to the distance from which a code is scanned. */
const WIDTHS_TO_SCAN = 10;

/** Modules across the narrowest and the widest picture, with the quiet zone; undefined until a code was drawn. */
let modules;
/** Those of its quiet zone, on both sides. */
let quietModules = 0;
/** The first code in pixels. */
let sizePx;

width.addEventListener('input', () => {
  // The resolution that an order set goes with it. A style may have one of its own.
  if (wished() === 0 && isComputed()) dpi.value = '';
  follow();
});
dpi.addEventListener('change', follow);
// A scale that is chosen by hand is kept, and the resolution follows the width.
scale.addEventListener('input', () => {
  if (wished() > 0 && modules) setDpi((modules.most * Number(scale.value) * MM_PER_INCH) / wished());
  showWidth();
});

/**
 * Takes over the sizes of a preview. True where scale or resolution had to follow them.
 * @param {{ widthPx: number, heightPx: number } | undefined} size
 * @param {{ least: number, most: number } | undefined} shown
 */
export function takeSizes(size, shown) {
  sizePx = size ?? sizePx;
  const found = (known.checked?.shape === shapeOf() && known.checked.modules) || shown;
  if (found) [modules, quietModules] = [found, 2 * Number(margin.value)];
  const before = `${scale.value} ${dpi.value}`;
  if (known.hasWidth && modules && modules === known.checked?.modules) fillWidth();
  follow();
  return before !== `${scale.value} ${dpi.value}`;
}

/** The version that all codes of the list get, where they get the same: the first ones alone may need a smaller one. */
export function sameVersion() {
  const { checked } = known;
  const isSame = one(form, '[name=version]', HTMLSelectElement).value === 'same';
  if (!isSame || !checked?.modules || checked.shape !== shapeOf()) return '';
  const side = checked.modules.most - 2 * Number(margin.value);
  return String((side - 17) / 4);
}

/** The parts of the style that decide how many modules a code has. */
export function shapeOf() {
  return JSON.stringify(['margin', 'ecLevel', 'version', 'eci'].map((name) => new FormData(form).get(name)));
}

/** The width that is asked for, in millimetres; 0 where none is. */
function wished() {
  return Number(width.value.trim().replace(',', '.')) || 0;
}

/** Fills in the width that gives the scale and the resolution of a job that is made again, if there is one. */
function fillWidth() {
  known.hasWidth = false;
  const [px, resolution] = [scale.value, dpi.value];
  for (const digits of [0, 1]) {
    if (wished() > 0) return;
    width.value = ((modules.most * Number(px) * MM_PER_INCH) / Number(resolution)).toFixed(digits);
    follow();
    if (scale.value !== px || dpi.value !== resolution) {
      [width.value, scale.value] = ['', px];
      setDpi(Number(resolution));
    }
  }
}

function follow() {
  const wish = wished();
  if (wish > 0 && modules) {
    const fit = (resolution) => (wish / MM_PER_INCH) * (resolution / modules.most);
    const within = (value) => String(Math.min(mostScale(), Math.max(Number(scale.min), value)));
    if (chosenDpi() === undefined) {
      scale.value = within(Math.round(fit(USUAL_DPI)));
      setDpi((modules.most * Number(scale.value) * MM_PER_INCH) / wish);
    } else {
      // No wider than the wish. The share is that of rounding.
      scale.value = within(Math.floor(fit(chosenDpi()) + 0.005));
    }
  }
  showWidth();
}

/** The largest scale at which the widest code is one picture. */
function mostScale() {
  return Math.max(1, Math.min(Number(scale.max), Math.floor(sidePx / modules.most)));
}

/** The resolution of a printer that was chosen in the list. */
function chosenDpi() {
  return isComputed() || dpi.value === '' ? undefined : Number(dpi.value);
}

function isComputed() {
  return dpi.selectedOptions[0]?.dataset.computed !== undefined;
}

function setDpi(resolution) {
  const value = Math.min(mostDpi, Math.max(leastDpi, Math.round(resolution)));
  const option = dpi.querySelector('[data-computed]') ?? dpi.appendChild(new Option());
  if (!(option instanceof HTMLOptionElement)) return;
  option.dataset.computed = '';
  option.value = String(value);
  option.textContent = `${value} dpi, for this width`;
  option.selected = true;
}

/** The widths of codes in print, and the distance from which they are read. */
export function showWidth() {
  known.widthProblem = '';
  showWidths();
  showState();
}

function showWidths() {
  const invalid = width.value.trim() !== '' && !(wished() > 0);
  width.setAttribute('aria-invalid', String(invalid));
  if (invalid) {
    said.classList.add('danger');
    said.textContent = known.widthProblem = 'Type the width in millimetres, such as 30.';
    return;
  }
  if (!modules) return;
  const resolution = Number(dpi.value) || USUAL_DPI;
  const [least, most, code] = [modules.least, modules.most, modules.least - quietModules].map(
    (count) => (count * Number(scale.value) * MM_PER_INCH) / resolution,
  );
  // A wish that cannot be had stands out.
  said.classList.toggle('danger', wished() > 0 && !isHeld(most));
  const onLabels = wished() > 0 && new FormData(form).get('then') === 'labels';
  known.widthProblem = problemOf(most);
  known.isTooSmall = (Number(scale.value) * MM_PER_INCH) / resolution < LEAST_MODULE_MM;
  // Rounded up: a code of the width that is named is no longer too small.
  const enough = Math.ceil(10 * modules.most * LEAST_MODULE_MM) / 10;
  said.textContent = [
    known.widthProblem || widthsOf(least, most),
    known.isTooSmall
      ? `Too small to scan in print: at least ${millimetres.format(enough)} mm.`
      : scanOf(code, most - least < SAME_MM),
    ...(onLabels ? ['On label sheets, you choose the size with the labels.'] : []),
  ].join(' ');
  one(form, '[data-pixels]', HTMLElement).textContent = sizePx
    ? `First code: ${number.format(sizePx.widthPx)} × ${number.format(sizePx.heightPx)} px.`
    : '';
}

/** True where the widest code is as wide as it was asked for. */
function isHeld(most) {
  return Math.abs(most - wished()) < Math.max(SAME_MM, wished() / 200);
}

function widthsOf(least, most) {
  const wish = wished();
  const [narrow, wide, asked] = [least, most, wish].map((mm) => `${millimetres.format(mm)} mm`);
  const isSame = most - least < SAME_MM;
  const border = quietModules > 0 ? ', with the empty border' : '';
  if (wish === 0) return isSame ? `Now ${wide}${border}.` : `Now ${narrow} to ${wide}${border}.`;
  if (isHeld(most)) {
    if (isSame) return `All pictures are ${asked} wide${border}.`;
    return `The widest picture is ${asked}, the narrowest ${narrow}${border}. “All codes the same size” makes all ${asked}.`;
  }
  if (chosenDpi() === undefined) return `${wide} is the nearest to ${asked}.`;
  return `${wide} is the nearest below ${asked} at ${number.format(chosenDpi() ?? 0)} dpi. “300 dpi (usual)” gives ${asked}.`;
}

/** Why codes of that width cannot be had. The `most` is the width of the widest code. A resolution is a whole number. */
function problemOf(most) {
  const wish = wished();
  if (wish === 0 || isHeld(most) || (chosenDpi() === undefined && Math.abs(most - wish) < wish / 50)) return '';
  const [asked, wide] = [wish, most].map((mm) => `${millimetres.format(mm)} mm`);
  const dpiName = chosenDpi() === undefined ? '' : ` at ${number.format(chosenDpi() ?? 0)} dpi`;
  if (most > wish) return `${asked} is too small${dpiName}: ${wide} is the least.`;
  const widest = (resolution) => (modules.most * mostScale() * MM_PER_INCH) / resolution;
  const limit = widest(leastDpi);
  if (wish > limit && !isHeld(limit)) {
    const enlarge = 'An SVG file can be enlarged in another program.';
    return `${asked} is too wide for one picture: ${millimetres.format(limit)} mm is the most. ${enlarge}`;
  }
  const chosen = chosenDpi();
  if (chosen === undefined) return `${asked} is too wide for this many pixels per module: ${wide} is the most.`;
  if (wish <= widest(chosen)) return '';
  return `${asked} is too wide${dpiName}: ${wide} is the most. “300 dpi (usual)” gives ${asked}.`;
}

/** The width of the narrowest code without its quiet zone, and the distance from which it is scanned. */
function scanOf(code, isSame) {
  const scans = `from about ${distance(WIDTHS_TO_SCAN * code)}`;
  if (quietModules === 0) return `Scans ${scans}.`;
  return `The ${isSame ? 'code' : 'narrowest code'} itself is ${millimetres.format(code)} mm wide. It scans ${scans}.`;
}

function distance(mm) {
  return mm < 995 ? `${number.format(Math.round(mm / 10))} cm` : `${millimetres.format(mm / 1_000)} m`;
}
