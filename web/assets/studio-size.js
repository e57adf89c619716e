/** The size in print. The service fits scale and resolution to a width. */

import { one } from './elements.js';
import { form, inputOf, known, number, placeOf, plainButton, tellChoice } from './studio-form.js';
import { showState } from './studio-price.js';

const scale = inputOf('scale');
const dpi = one(form, '[name=dpi]', HTMLSelectElement);
const width = inputOf('widthMm');
const said = placeOf('[data-size]');
const fontSize = inputOf('fontSize');
/** The choice of no printer: the usual resolution, or that of a width, at least that of the printer before. */
const usual = one(dpi, 'option', HTMLOptionElement);
const USUAL = usual.text;
const decimal = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

/** The resolution that the width needs; undefined where none is typed. */
let neededDpi;
/**
 * The scale that follows the width, and that which was chosen before; undefined where no width is typed.
 * @type {{ scale: string, chosen: string } | undefined}
 */
let followed;
/** Points in print for a caption size of 1; undefined until a code was drawn. */
let pointsPerSize;

fontSize.addEventListener('input', showCaptionSize);
// A form leaves out what cannot be changed.
form.addEventListener('formdata', ({ formData }) => formData.set(scale.name, chosenScale()));

/** The form with scale and resolution for its width. A draft or a style has the width alone. */
export function settled() {
  const fields = new FormData(form);
  if (neededDpi === undefined || width.value.trim() === '') return fields;
  fields.set(scale.name, scale.value);
  if (usual.selected) fields.set(dpi.name, String(neededDpi));
  return fields;
}

/** The scale that codes have without a width. A style may have put in another one. */
function chosenScale() {
  return followed?.scale === scale.value ? followed.chosen : scale.value;
}

/** The fields by which the service fits scale and resolution. */
export function sizeFields() {
  const { sides } = listSides() ?? {};
  return {
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
  const before = `${scale.value} ${neededDpi}`;
  if (print.filledIn !== undefined) {
    known.hasWidth = false;
    width.value ||= print.filledIn;
  }
  ({ neededDpi } = print);
  const isOrdered = neededDpi !== undefined;
  usual.value = isOrdered && dpi.value !== '' ? leastDpi() : '';
  usual.text = isOrdered ? `${number.format(neededDpi)} dpi, for this width` : USUAL;
  // Those that an earlier page found for a width.
  for (const option of isOrdered ? dpi.querySelectorAll('[data-computed]') : []) option.remove();
  const chosen = chosenScale();
  scale.value = String(print.scale);
  followed = isOrdered ? { scale: scale.value, chosen } : undefined;
  scale.disabled = isOrdered;
  placeOf('[data-follows]').hidden = !isOrdered;
  placeOf('[data-pixels]').textContent = size
    ? `First code: ${number.format(size.widthPx)} × ${number.format(size.heightPx)} px.`
    : '';
  showWidth(print);
  return before !== `${scale.value} ${neededDpi}`;
}

/** The value of the choice for the width: its resolution, or one more where a printer has that one. */
function leastDpi() {
  const isOfPrinter = [...dpi.options].some((option) => option !== usual && option.value === String(neededDpi));
  return String(neededDpi + Number(isOfPrinter));
}

function showWidth(print) {
  known.widthProblem = print.problem;
  known.widthMiss = print.miss;
  width.setAttribute('aria-invalid', String(print.problem !== ''));
  said.textContent = print.sentence;
  offerNeeded(said, print.sentence);
  said.classList.toggle('danger', !print.isHeld);
  pointsPerSize = print.pointsPerSize;
  placeOf('#fontSize-hint').textContent = print.captionProblem;
  placeOf('#logo-pixels').textContent = print.logoProblem;
  showCaptionSize();
  showState();
}

/** Adds a button to a text that names the resolution for the width. Its list may be hidden. */
export function offerNeeded(box, text) {
  if (!text.includes(`“${usual.text}”`)) return;
  const use = () => {
    usual.selected = true;
    tellChoice(dpi);
  };
  box.append(' ', plainButton(`Use ${number.format(Number(neededDpi))} dpi`, use));
}

function showCaptionSize() {
  if (pointsPerSize === undefined) return;
  const points = decimal.format(Number(fontSize.value) * pointsPerSize);
  placeOf('[data-points]').textContent = `, ${points} pt in print`;
}
