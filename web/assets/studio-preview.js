/** The preview: the first codes as the engine draws them, their size, and what to mind. */

import { all, one } from './elements.js';
import { signedIn, urlOf } from './studio-draft.js';
import { file, firstItems, form, known, logo, number, plainButton } from './studio-form.js';
import { showState } from './studio-price.js';
import { note } from './studio-table.js';

const csrf = one(form, '[name=csrf]', HTMLInputElement);
const scale = one(form, '[name=scale]', HTMLInputElement);
const width = one(form, '#mm', HTMLInputElement);
const level = one(form, '[name=ecLevel]', HTMLSelectElement);
const levelNote = one(form, '[data-level-note]', HTMLElement);
const millimetres = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

const PAUSE_MS = 150;

/** The resolution of the size in print where none is chosen. */
const USUAL_DPI = 300;

/** All error correction of a code. */
const ALL_THOUSANDTHS = 1_000;

/** Pause before a preview is asked for again where nothing answered. */
const RETRY_MS = 2_000;

let timer;
/** A preview is being drawn. */
let isAsking = false;
/** The form has changed since the last preview was asked for. */
let isStale = false;
/** Changes of the form. */
let changes = 0;
/** Error correction was chosen by hand, and is not raised. */
let isLevelChosen = false;

/** The first code as it was drawn last. */
let drawnWidthPx = 0;
let drawnScale = 1;

/**
 * Checks all codes of the file in the style of the form.
 * @type {() => unknown}
 */
let checkAgain = () => undefined;

level.addEventListener('change', () => {
  isLevelChosen = true;
  levelNote.textContent = '';
});
width.addEventListener('input', () => {
  const modules = drawnWidthPx / drawnScale;
  const wanted = Math.round(((Number(width.value) / 25.4) * dpi()) / modules);
  if (wanted > 0) scale.value = String(wanted);
});

/** Begins to draw previews. @param {() => unknown} check checks all codes of the file again */
export function takeUpPreview(check) {
  checkAgain = check;
  form.addEventListener('input', refreshSoon);
}

export function refreshSoon() {
  changes += 1;
  showValues();
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
}

/** Shows sizes as numbers and colours as texts. */
export function showValues() {
  for (const output of all(form, 'output[data-for]', HTMLOutputElement)) {
    output.value = one(form, `[name=${output.dataset.for}]`, HTMLInputElement).value;
  }
  for (const text of all(form, '[data-hex]', HTMLInputElement)) {
    if (text !== document.activeElement) text.value = one(form, `[name=${text.dataset.hex}]`, HTMLInputElement).value;
  }
}

/** One preview at a time, since the service draws one for a person; a change in the meantime is drawn after it. */
export async function refresh() {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  try {
    while (isStale) {
      isStale = false;
      await ask();
    }
  } finally {
    isAsking = false;
  }
}

async function ask() {
  await known.converting;
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
  const { items: _, csrf: __, submission: ___, ...style } = fields;
  const asked = changes;
  const response = await fetch(form.dataset.studio ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Form-Token': csrf.value },
    body: JSON.stringify({
      fields: { ...style, logo: logo.files?.[0] ? await urlOf(logo.files[0]) : '' },
      items: firstItems(),
    }),
  }).catch(() => undefined);
  if (response && !(await signedIn(form, response))) return;
  // The line may break within an answer.
  const answer = response?.ok ? await response.json().catch(() => undefined) : undefined;
  if (answer) {
    show(answer, Number(style.scale), asked);
  } else if (!response || response.ok || response.headers.has('Retry-After')) {
    // Another tab is being served, or the service is busy or away.
    timer = setTimeout(refresh, 1_000 * Number(response?.headers.get('Retry-After')) || RETRY_MS);
  } else {
    // The problem of an earlier style is no obstacle to this one: the answer to the form says what is wrong.
    known.styleProblems = [];
    showState();
  }
}

/** Shows an answer to the form as it was after so many changes, with the scale `drawn`. */
function show({ samples, size, warnings, notes, problems, curl, neededLevel }, drawn, asked) {
  known.styleProblems = problems;
  // Another logo may need no other level.
  if (neededLevel !== undefined && !isLevelChosen && asked === changes) {
    levelNote.textContent = `Raised from ${level.value} to ${neededLevel}: the logo covers too much of the code for ${level.value}.`;
    level.value = neededLevel;
    known.isOtherStyle = true;
    isStale = true;
    return;
  }
  showState();
  showSize(size, drawn);
  const [first, ...others] = samples;
  const picture = one(form, '.picture', HTMLElement);
  picture.hidden = !first;
  if (first) {
    const image = one(picture, 'img', HTMLImageElement);
    image.src = first.picture;
    const thumbnail = one(form, '[data-thumbnail]', HTMLImageElement);
    thumbnail.src = first.picture;
    thumbnail.hidden = false;
    image.alt = first.scans === false ? 'The first code, which does not scan' : 'The first code';
  }
  const list = one(form, '[data-samples]', HTMLElement);
  list.hidden = others.length === 0;
  list.replaceChildren(
    ...others.map((sample, index) => {
      const entry = document.createElement('li');
      const image = new Image();
      image.src = sample.picture;
      image.alt = `Code ${index + 2}`;
      entry.append(image);
      return entry;
    }),
  );
  // Those of the whole file, once it was read with this style.
  const isRead = Boolean(file.files?.length && known.checked?.total);
  const told = [...(isRead && !known.isOtherStyle ? known.checked.warnings : warnings), ...notes];
  one(form, '[data-warnings]', HTMLElement).replaceChildren(
    ...problems.map((text) => note('bad', text)),
    ...told.map((text) => note('warn', text)),
    ...(problems.length === 0 && (told.length === 0 || isDamaged(first)) ? readingOf(first) : []),
    ...(isRead && known.isOtherStyle
      ? [plainButton(`Check all ${number.format(known.checked.total)} codes in this style`, checkAgain)]
      : []),
  );
  const notesShown = problems.length + told.length;
  const link = one(form, '[data-warning-count]', HTMLElement);
  link.hidden = notesShown === 0;
  link.textContent = notesShown === 1 ? '1 warning' : `${number.format(notesShown)} warnings`;
  one(document, '#curl', HTMLElement).textContent = curl;
}

/** True when a logo covers a part of the code. */
function isDamaged(sample) {
  return sample?.unusedThousandths < ALL_THOUSANDTHS;
}

/** A reader's opinion of a code, in one line. */
function readingOf(sample) {
  const left = isDamaged(sample) ? `${sample.unusedThousandths / 10} % of its error correction is left.` : '';
  const of = firstItems().length > 0 ? 'first code' : 'sample code';
  // A sample says nothing of a file that cannot be read.
  const isOwn = !file.files?.length || known.checked?.problems.length === 0;
  const reading = [...(sample?.scans && isOwn ? [`Test scan passed (${of}).`] : []), left].join(' ').trim();
  return reading === '' ? [] : [note('', reading)];
}

/** In pixels, and in millimetres as it is printed. */
function showSize(size, drawn) {
  if (!size) return;
  const { widthPx, heightPx } = size;
  drawnWidthPx = widthPx;
  drawnScale = drawn;
  const [wide, high] = [widthPx, heightPx].map((px) => (px / dpi()) * 25.4);
  if (document.activeElement !== width) width.value = wide.toFixed(1);
  const step = millimetres.format(wide / drawnScale);
  one(form, '[data-size]', HTMLElement).textContent =
    `First code: ${number.format(widthPx)} × ${number.format(heightPx)} px, ${millimetres.format(wide)} × ${millimetres.format(high)} mm at ${dpi()} dpi, in steps of ${step} mm.${allWidths()}`;
}

/** Pixels per inch in print. */
function dpi() {
  return Number(one(form, '[name=dpi]', HTMLSelectElement).value) || USUAL_DPI;
}

/** The range of widths in print, where the codes of the file differ. */
function allWidths() {
  const { minimum, maximum } = (file.files?.length && known.checked?.printedWidthMm) || {};
  if (minimum === maximum) return '';
  return ` All codes: ${millimetres.format(minimum)} to ${millimetres.format(maximum)} mm wide.`;
}
