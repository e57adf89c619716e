/** The size in print. The service fits scale and resolution to the width that a person asks for, and says what cannot be had. */

import { one } from './elements.js';
import { form, known, number } from './studio-form.js';
import { showState } from './studio-price.js';

const scale = one(form, '[name=scale]', HTMLInputElement);
const dpi = one(form, '[name=dpi]', HTMLSelectElement);
const width = one(form, '[name=widthMm]', HTMLInputElement);
const said = one(form, '[data-size]', HTMLElement);
const fontSize = one(form, '[name=fontSize]', HTMLInputElement);
/** The choice of no printer: the usual resolution, or that which a width needs. */
const usual = one(dpi, 'option', HTMLOptionElement);
const USUAL = usual.text;
const decimal = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

/** Points in print for a caption size of 1; undefined until a code was drawn. */
let pointsPerSize;

fontSize.addEventListener('input', showCaptionSize);
// A form leaves out what cannot be changed.
form.addEventListener('formdata', ({ formData }) => formData.set(scale.name, scale.value));

/** The fields by which the service fits scale and resolution, in place of those of the form. */
export function sizeFields() {
  const { sides } = listSides() ?? {};
  return {
    // That which a width needs goes with the width.
    dpi: usual.selected ? '' : dpi.value,
    sides: sides ? `${sides.least} ${sides.most}` : '',
    isMadeAgain: known.hasWidth && sides ? '1' : '',
  };
}

/** The check of the list, where it is that of the form as it is now. */
function listSides() {
  return known.checked?.shape === shapeOf() ? known.checked : undefined;
}

/** The parts of the style that decide how many modules a code has. */
export function shapeOf() {
  return JSON.stringify(['ecLevel', 'version', 'eci'].map((name) => new FormData(form).get(name)));
}

/** Shows the size in print of a preview. True where scale or resolution had to follow the width. */
export function takeSizes({ print, size }) {
  if (!print) return false;
  const before = `${scale.value} ${dpi.value}`;
  if (known.hasWidth && listSides()) {
    known.hasWidth = false;
    width.value = print.filledIn ?? width.value;
  }
  const isOrdered = print.neededDpi !== undefined;
  usual.value = isOrdered ? String(print.neededDpi) : '';
  usual.text = isOrdered ? `${number.format(print.neededDpi)} dpi, for this width` : USUAL;
  usual.toggleAttribute('data-computed', isOrdered);
  const chosen = dpi.selectedOptions[0];
  if (isOrdered && (!chosen || 'computed' in chosen.dataset)) usual.selected = true;
  // Resolutions that an earlier page found for a width.
  if (isOrdered) for (const option of dpi.querySelectorAll('[data-computed]')) if (option !== usual) option.remove();
  scale.value = String(print.scale);
  scale.disabled = isOrdered;
  one(form, '[data-follows]', HTMLElement).hidden = !isOrdered;
  one(form, '[data-pixels]', HTMLElement).textContent = size
    ? `First code: ${number.format(size.widthPx)} × ${number.format(size.heightPx)} px.`
    : '';
  showWidth(print);
  return before !== `${scale.value} ${dpi.value}`;
}

function showWidth(print) {
  known.widthProblem = print.problem;
  known.widthMiss = print.miss;
  width.setAttribute('aria-invalid', String(print.problem !== ''));
  said.textContent = print.sentence;
  said.classList.toggle('danger', !print.isHeld);
  pointsPerSize = print.pointsPerSize;
  one(form, '#fontSize-hint', HTMLElement).textContent = print.captionProblem;
  showCaptionSize();
  showState();
}

function showCaptionSize() {
  if (pointsPerSize === undefined) return;
  const points = decimal.format(Number(fontSize.value) * pointsPerSize);
  one(form, '[data-points]', HTMLElement).textContent = `, ${points} pt in print`;
}
