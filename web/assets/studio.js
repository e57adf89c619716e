/** The studio, live: the first codes as the engine draws them, their size, what to mind, the price, and why the job cannot be made yet. */

import { all, one } from './elements.js';
import { signedIn, takeUpDraft, urlOf } from './studio-draft.js';
import { takeOverColours } from './studio-colours.js';
import { repeated, textsOf, tooLong } from './studio-lines.js';
import { offerToSkip } from './studio-faulty.js';
import { alertOf, pageOf, reasonOf, showAlert, showRefusal } from './studio-refusal.js';
import { clearChoices, guessedColumns, note, showCheck } from './studio-table.js';

const PAUSE_MS = 150;

const form = one(document, '[data-studio]', HTMLFormElement);
const file = one(form, '[name=file]', HTMLInputElement);
const items = one(form, '[name=items]', HTMLTextAreaElement);
const logo = one(form, '[name=logo]', HTMLInputElement);
const csrf = one(form, '[name=csrf]', HTMLInputElement);
const scale = one(form, '[name=scale]', HTMLInputElement);
const width = one(form, '#mm', HTMLInputElement);
const level = one(form, '[name=ecLevel]', HTMLSelectElement);
const levelNote = one(form, '[data-level-note]', HTMLElement);
const drop = one(form, '[data-drop]', HTMLElement);
const number = new Intl.NumberFormat(form.dataset.locale);
const millimetres = new Intl.NumberFormat(form.dataset.locale, { maximumFractionDigits: 1 });

const found = one(form, '[data-check-result]', HTMLElement);
const lineNotes = one(form, '[data-lines]', HTMLElement);

/** Items whose pictures are shown. */
const SAMPLES = 4;

/** The resolution that the size in print is told for where none is chosen. */
const USUAL_DPI = 300;

/** All error correction of a code. */
const ALL_THOUSANDTHS = 1_000;

let timer;
/** A preview is being drawn. */
let isAsking = false;
/** The form has changed since the last preview was asked for. */
let isStale = false;
/** Changes of the form. */
let changes = 0;
let checking;
let isSending = false;

/** The logo that was chosen last is being converted. */
let converting = Promise.resolve();

/** Reasons to refuse codes of this style. */
let styleProblems = [];

/** The check of the chosen file; undefined where there is none, or while it is being read. */
let checked;

/** The style has changed since the file was read. */
let isOtherStyle = false;

/** Error correction was chosen by hand, and is not raised. */
let isLevelChosen = false;

/** Pause before a preview is asked for again where nothing answered. */
const RETRY_MS = 2_000;

/** The first code as it was drawn last. */
let drawnWidthPx = 0;
let drawnScale = 1;

/** A line that was typed is too long for any code. */
let hasLongLine = false;

/** The check of lines of which some cannot be codes. */
let checkedLines;

for (const part of all(form, '[data-preview]', HTMLElement)) part.hidden = false;
logo.accept = 'image/png,image/jpeg,image/webp,image/svg+xml';
one(form, '[data-logo-hint]', HTMLElement).textContent = 'PNG, JPEG, WebP or SVG.';
form.addEventListener('input', refreshSoon);
file.addEventListener('change', () => {
  clearChoices(form);
  // The results and the choices were those of the file before.
  guessNotice = '';
  showNothing();
  offerToSkip(form, found, undefined, number);
  nameAfterFile();
  void check();
});
logo.addEventListener('change', () => {
  converting = convert().catch(() => {
    logo.value = '';
    one(form, '[data-logo-notice]', HTMLElement).textContent = 'The service did not answer. Choose the logo again.';
  });
});
for (const input of [file, logo]) {
  let before;
  input.addEventListener('click', () => {
    before = input.files?.[0];
  });
  // So do browsers tell of a file of the same name: it was corrected, and chosen again.
  input.addEventListener('cancel', () => {
    if (input.files?.[0] !== before) tellChoice(input);
  });
}
// Warnings about all codes depend on the style. A large file is not sent again for each change of it.
form.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('[data-look]') !== null) isOtherStyle = true;
});
level.addEventListener('change', () => {
  isLevelChosen = true;
  levelNote.textContent = '';
});
takeOverColours(form);
width.addEventListener('input', () => {
  const modules = drawnWidthPx / drawnScale;
  const wanted = Math.round(((Number(width.value) / 25.4) * dpi()) / modules);
  if (wanted > 0) scale.value = String(wanted);
});
items.addEventListener('input', () => {
  checkedLines = undefined;
  if (!file.files?.length) {
    // A check on its way, and the offer, are about other lines.
    checking?.abort();
    offerToSkip(form, lineNotes, undefined, number);
  }
  showLines();
  showPrice();
});
items.addEventListener('change', () => {
  if (!file.files?.length) void check();
});
one(form, '[name=skip]', HTMLInputElement).addEventListener('change', () => void check(true));

// A file may be dropped anywhere: beside its frame, the browser would leave the page to open it.
for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) {
  addEventListener(name, (event) => {
    const { target, dataTransfer } = event;
    if (!dataTransfer?.types.includes('Files') || target === logo) return;
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name !== 'drop') return;
    if (dataTransfer.files.length > 1) {
      showAlert(form, alertOf('Drop one file at a time: one job has one list.'));
      return;
    }
    file.files = dataTransfer.files;
    tellChoice(file);
  });
}

// The form is sent from here: after a refusal its files are still chosen, and when the session is over nothing is lost.
form.addEventListener('submit', (event) => {
  const { submitter } = event;
  // The answer is a file: the browser stays on the page.
  if (submitter instanceof HTMLButtonElement && submitter.dataset.download !== undefined) return;
  if (submitter instanceof HTMLButtonElement && submitter.dataset.saveStyle !== undefined) {
    event.preventDefault();
    void save(submitter.formAction);
    return;
  }
  event.preventDefault();
  // Enter sends a form whose button is off.
  if (obstacle() === '') void send();
});
// Enter in a field of the look would send the form, and a job costs credits.
form.addEventListener('keydown', (event) => {
  const { key, target, isComposing } = event;
  if (key !== 'Enter' || isComposing || !(target instanceof HTMLInputElement)) return;
  // There, Enter opens a dialog.
  if (['file', 'color'].includes(target.type)) return;
  const isName = target.name === 'styleName';
  if (!isName && target.closest('[data-look]') === null) return;
  event.preventDefault();
  if (isName) one(form, '[data-save-style]', HTMLButtonElement).click();
});
// A person who comes back to the page may send it again. Browsers fill it in after this script, before this event.
addEventListener('pageshow', ({ persisted }) => {
  setSending(false);
  if (!persisted) begin();
});
// But for these texts, which a browser must not suggest elsewhere.
const texts = ['name', 'caption'].map((name) => one(form, `[name=${name}]`, HTMLInputElement));
const { person } = form.dataset;
const keepTexts = () => history.replaceState({ person, texts: texts.map(({ value }) => value) }, '');
form.addEventListener('change', keepTexts);

if (form.querySelector('[data-style]')) {
  void import('./studio-styles.js').then(({ takeOverStyles }) =>
    takeOverStyles(form, () => {
      isOtherStyle = true;
      keepTexts();
      refreshSoon();
    }),
  );
}

const draft = takeUpDraft(form);
if (draft !== '') form.before(note('', draft));
showValues();
const again = document.querySelector('[data-again]');
// Few people need this script.
if (draft === '' && again instanceof HTMLElement) {
  void import('./studio-again.js').then(({ takeItems }) => takeItems(file, again));
}

function begin() {
  if (history.state?.person === person) {
    for (const [place, text] of history.state.texts.entries()) texts[place].value = text;
  }
  nameAfterFile();
  showValues();
  showLines();
  void check();
  void refresh();
}

/** @param {HTMLInputElement} input whose file is another one now */
function tellChoice(input) {
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
}

/** Why a request with the chosen files failed, where one of them is the cause: browsers send none that has changed. */
async function changedFile() {
  for (const { files } of [file, logo]) {
    const chosen = files?.[0];
    const isReadable = await chosen
      ?.slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      );
    if (isReadable === false) return `“${chosen?.name}” was changed or deleted after you chose it. Choose it again.`;
  }
  return undefined;
}

function setSending(value) {
  isSending = value;
  showState();
}

/** The button works when nothing is in the way; what is in the way stands below it. */
function showState() {
  const button = one(form, '[data-make]', HTMLButtonElement);
  const reason = obstacle();
  button.textContent = isSending ? 'Sending…' : 'Make codes';
  button.disabled = isSending || reason !== '';
  const place = one(form, '[data-reason]', HTMLElement);
  place.textContent = reason;
  place.hidden = reason === '';
}

function obstacle() {
  if (form.dataset.suspended !== undefined) return 'Your organisation is suspended.';
  const hasFile = Boolean(file.files?.length);
  if (hasFile && !checked) return 'The file is being read.';
  if (hasFile && checked.problems.length > 0) return problemUnder('file', checked.faulty);
  if (!hasFile && typed().length === 0) return 'Add a file or a few lines to start.';
  if (!hasFile && hasLongLine && !checkedLines?.total) return problemUnder('lines', checkedLines?.faulty);
  if (styleProblems.length > 0) return styleProblems[0];
  const missing = count() - Number(form.dataset.balance);
  if (missing > 0 && form.dataset.unlimited === undefined) return `You need ${credits(missing)} more.`;
  return '';
}

function problemUnder(place, faulty) {
  if (!faulty) return `See the problem under your ${place}.`;
  return faulty.rows === 1 ? `Skip the ${faulty.unit}, or correct it.` : `Skip the ${faulty.unit}s, or correct them.`;
}

/** A job without a name of its own is called what its file is called. */
function nameAfterFile() {
  one(form, '[name=name]', HTMLInputElement).placeholder = (file.files?.[0]?.name ?? '').replace(
    /\.[a-z0-9]{1,6}$/i,
    '',
  );
}

/** Makes a PNG of the chosen logo where it is none, and says so. */
async function convert() {
  const notice = one(form, '[data-logo-notice]', HTMLElement);
  notice.textContent = '';
  const chosen = logo.files?.[0];
  if (!chosen) return;
  const { asPng } = await import('./studio-logo.js');
  const made = await asPng(chosen, Number(logo.dataset.bytes));
  if (logo.files?.[0] !== chosen) return;
  notice.textContent = made.notice;
  const files = new DataTransfer();
  if (made.file) files.items.add(made.file);
  if (made.file !== chosen) logo.files = files.files;
}

async function send() {
  setSending(true);
  try {
    await converting;
    const fields = new FormData(form);
    // The page says that a file goes first.
    if (file.files?.length) fields.delete('items');
    const response = await fetch(form.action, { method: 'POST', body: fields });
    if (!(await signedIn(form, response))) return;
    if (response.redirected) {
      location.assign(response.url);
      return;
    }
    showRefusal(form, pageOf(await response.text()));
    // The answer says whether the other lines can be codes.
    if (!file.files?.length) void check(true);
  } catch {
    const away = 'The service did not answer. Your file and logo are still chosen. Try again.';
    showAlert(form, alertOf((await changedFile()) ?? away));
  }
  setSending(false);
}

/** Saves the style. */
async function save(action) {
  try {
    const { saveStyle } = await import('./studio-styles.js');
    await converting;
    await saveStyle(form, action);
  } catch {
    one(form, '[data-style-notice]', HTMLElement).textContent = 'The service did not answer. Try again.';
  }
}

/**
 * Lets the service read the file as a job would: the number of codes, the first rows, what is wrong. Typed lines are read only
 * where some are faulty, as is known of those that are too long.
 */
async function check(hasFaultyLine = false) {
  checking?.abort();
  checked = undefined;
  checkedLines = undefined;
  isOtherStyle = false;
  showState();
  showLines();
  const hasFile = Boolean(file.files?.length);
  if (!hasFile) {
    showNothing();
    if (!hasLongLine && !hasFaultyLine) {
      offerToSkip(form, lineNotes, undefined, number);
      showPrice();
      return;
    }
  }
  checking = new AbortController();
  const { signal } = checking;
  one(form, '[data-price]', HTMLElement).textContent = 'Reading the file…';
  try {
    await converting;
    const fields = new FormData(form);
    if (hasFile) fields.delete('items');
    const response = await fetch(form.dataset.check ?? '', { method: 'POST', body: fields, signal });
    if (!(await signedIn(form, response))) return;
    checked = response.ok
      ? await response.json()
      : unread(`The file could not be read. ${reasonOf(pageOf(await response.text())).at(-1)}`);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const problem = (await changedFile()) ?? 'The service did not answer. Choose the file again.';
    if (signal.aborted) return;
    // Chromium would report its abort as an error of the page.
    checking = undefined;
    checked = unread(problem);
  }
  if (!hasFile) {
    checkedLines = checked;
    offerToSkip(form, lineNotes, checkedLines.faulty, number);
    showPrice();
    void refresh();
    return;
  }
  const isChosen = ['columns', 'kind', 'dataPattern'].some(
    (name) => one(form, `[name=${name}]`, HTMLInputElement).value,
  );
  const guess = isChosen ? undefined : guessedColumns(checked.table);
  if (guess !== undefined) {
    guessNotice = guess.notice;
    choose(guess.choices);
    return;
  }
  const notices = guessNotice === '' ? checked.notices : [guessNotice, ...checked.notices];
  guessNotice = '';
  showCheck(found, form, { ...checked, notices }, choose);
  offerToSkip(form, found, checked.faulty, number);
  if (checked.isUnread) found.append(plainButton('Try again', check));
  showPrice();
  void refresh();
}

/** Shows no result of a file. */
function showNothing() {
  showCheck(found, form, { problems: [], notices: [], table: undefined, faulty: undefined }, choose);
}

function unread(problem) {
  return { total: 0, problems: [problem], notices: [], warnings: [], items: [], isUnread: true };
}

/** A question about the column that was guessed, once the file was read with it. */
let guessNotice = '';

/** Shows what is wrong with the typed lines, or that they are not used. */
function showLines() {
  const hasFile = Boolean(file.files?.length);
  const long = hasFile ? [] : tooLong(items.value, Number(items.dataset.characters), number);
  const double = hasFile ? undefined : repeated(typed(), number);
  hasLongLine = long.length > 0;
  const unused = note('warn', 'The codes are made from the file. These lines are not used.');
  unused.append(
    plainButton('Use the lines instead', () => {
      file.value = '';
      tellChoice(file);
    }),
  );
  items.setAttribute('aria-invalid', String(hasLongLine));
  lineNotes.replaceChildren(
    ...long.map((text) => note('bad', text)),
    ...(double === undefined ? [] : [note('warn', double)]),
    ...(hasFile && typed().length > 0 ? [unused] : []),
  );
}

function plainButton(text, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'plain compact';
  made.textContent = text;
  made.addEventListener('click', () => void act());
  return made;
}

/** Reads the file again with other columns, or another sheet. */
function choose(choices) {
  for (const [name, value] of Object.entries(choices)) one(form, `[name=${name}]`, HTMLInputElement).value = value;
  void check();
}

/** The first items: those of the file, or else of the lines that were typed. */
function firstItems() {
  if (file.files?.length) return checked?.items ?? [];
  if (checkedLines?.total) return checkedLines.items;
  const limit = Number(items.dataset.characters);
  return typed()
    .filter((data) => [...data].length <= limit)
    .slice(0, SAMPLES)
    .map((data) => ({ data }));
}

function typed() {
  return textsOf(items.value);
}

function refreshSoon() {
  changes += 1;
  showValues();
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
}

/** Shows sizes as numbers and colours as texts. */
function showValues() {
  for (const output of all(form, 'output[data-for]', HTMLOutputElement)) {
    output.value = one(form, `[name=${output.dataset.for}]`, HTMLInputElement).value;
  }
  for (const text of all(form, '[data-hex]', HTMLInputElement)) {
    if (text !== document.activeElement) text.value = one(form, `[name=${text.dataset.hex}]`, HTMLInputElement).value;
  }
}

/** One preview at a time, since the service draws one for a person; a change in the meantime is drawn after it. */
async function refresh() {
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
  await converting;
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
    styleProblems = [];
    showState();
  }
}

/** Shows an answer to the form as it was after so many changes, with the scale `drawn`. */
function show({ samples, size, warnings, notes, problems, curl, neededLevel }, drawn, asked) {
  styleProblems = problems;
  // Another logo may need no other level.
  if (neededLevel !== undefined && !isLevelChosen && asked === changes) {
    levelNote.textContent = `Raised from ${level.value} to ${neededLevel}: the logo covers too much of the code for ${level.value}.`;
    level.value = neededLevel;
    isOtherStyle = true;
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
  const isRead = Boolean(file.files?.length && checked?.total);
  const told = [...(isRead && !isOtherStyle ? checked.warnings : warnings), ...notes];
  one(form, '[data-warnings]', HTMLElement).replaceChildren(
    ...problems.map((text) => note('bad', text)),
    ...told.map((text) => note('warn', text)),
    ...(problems.length === 0 && (told.length === 0 || isDamaged(first)) ? readingOf(first) : []),
    ...(isRead && isOtherStyle
      ? [plainButton(`Check all ${number.format(checked.total)} codes in this style`, check)]
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
  const isOwn = !file.files?.length || checked?.problems.length === 0;
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
  const { minimum, maximum } = (file.files?.length && checked?.printedWidthMm) || {};
  if (minimum === maximum) return '';
  return ` All codes: ${millimetres.format(minimum)} to ${millimetres.format(maximum)} mm wide.`;
}

function count() {
  return file.files?.length ? (checked?.total ?? 0) : checkedLines?.total || typed().length;
}

function credits(value) {
  return `${number.format(value)} ${value === 1 ? 'credit' : 'credits'}`;
}

function showPrice() {
  const codes = count();
  const balance = credits(Number(form.dataset.balance));
  const cost = `${number.format(codes)} ${codes === 1 ? 'code costs' : 'codes cost'} ${credits(codes)}.`;
  const isUnlimited = form.dataset.unlimited !== undefined;
  one(form, '[data-price]', HTMLElement).textContent = isUnlimited
    ? `${codes === 0 ? '' : `${cost} `}Credits are unlimited here.`
    : `${codes === 0 ? 'Each code costs one credit.' : cost} You have ${balance}.`;
  one(form, '[data-shortage]', HTMLElement).hidden = isUnlimited || codes <= Number(form.dataset.balance);
  showState();
}
