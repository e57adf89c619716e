/** The check of a chosen file, or of typed lines of which some are faulty. */

import { changedFile, keepFile, keepSoon, markChanged, signedIn } from './studio-draft.js';
import { offerToSkip } from './studio-faulty.js';
import { choose as chooseFile, PASTED, takeTable } from './studio-fill.js';
import {
  asks,
  file,
  form,
  hasFile,
  inputOf,
  items,
  known,
  note,
  number,
  placeOf,
  plainButton,
  SAMPLES,
  shownCheck,
  tellChoice,
  typed,
} from './studio-form.js';
import { areRows, tooLong, withAddresses } from './studio-lines.js';
import { refresh, showValues } from './studio-preview.js';
import { obstacle, showPrice, showState } from './studio-price.js';
import { pageOf, reasonOf } from './studio-refusal.js';
import { settled, shapeOf } from './studio-size.js';

const found = placeOf('[data-check-result]');
/** The choice of the encoding, above the offer to skip rows that another encoding may mend. */
const encoding = placeOf('[data-encoding]');
const lineNotes = placeOf('[data-lines]');

/** The fields of the form that say how the file is to be read. */
const CHOICES = ['columns', 'guess', 'sheet', 'headless', 'links', 'dates', 'callingCode', 'encoding', 'open', 'kind'];
/** Those that answer for the values of one file. */
const ANSWERS = new Set(['guess', 'links', 'dates', 'encoding', 'open']);
const TYPED = ['dataPattern', 'captionPattern', 'filenamePattern', 'payeeName', 'payeeIban', 'payeeBic', 'eventDay'];

let checking;

/** The lines are codes although they look like rows of a table. */
let areLinesMeant = false;

/** The choices that the page shows are those of another file, or of another sheet. */
let isOtherList = false;

/** The sheet is the one of that name in the list before. */
let isSheetKept = false;

/** A person chose something for the file, which has not been read so yet. */
let isOtherChoice = false;

/**
 * The list that was read last, and how; undefined where none is chosen. It stays when a file is chosen that is none.
 * @type {ReturnType<typeof asRead> | undefined}
 */
let lastList;

/** Why another file is not taken. */
let refusal = '';

/** Ends when nobody has typed for a while. */
let pause;
const PAUSE_MS = 800;

/** Reads another file. Ends once that is done, or the list before it is chosen again. */
export async function checkFile() {
  // A field that has the focus tells of its pattern when it goes.
  showNothing();
  for (const name of [...CHOICES, ...TYPED]) inputOf(name).value = '';
  isOtherList = true;
  isSheetKept = false;
  isOtherChoice = false;
  // The results and the choices were those of the file before.
  known.checked = undefined;
  known.checkedBefore = undefined;
  known.reading = undefined;
  offerToSkip(encoding, undefined);
  refusal = '';
  if (!hasFile()) {
    lastList = undefined;
    // Whoever takes the list of a job away chooses another one that is read as it was.
    if (!document.querySelector('[data-again]')) inputOf('roles').value = '';
  }
  await check();
}

function asRead() {
  const names = [...CHOICES, ...TYPED, 'skip'];
  const choices = names.map((name) => [name, inputOf(name).value]);
  const isSkipping = new FormData(form).has('skip');
  const [list] = file.files ?? [];
  return { list, choices: Object.fromEntries(choices), isSkipping };
}

/** Chooses the list again in place of a file that is none. */
function keepList({ list, choices, isSkipping }) {
  refusal = `“${file.files?.[0]?.name}” is not taken. ${known.checked.problems.join(' ')} The list is still “${list.name}”.`;
  // It may be none any more.
  lastList = undefined;
  chooseFile(file, list);
  keepFile(file);
  isOtherList = false;
  inputOf('skip').checked = isSkipping;
  choose(choices);
}

/** Forgets what was said of other lines. Takes these for a table where they are one for sure: nobody types tabs. */
export function takeLines() {
  const { value, defaultValue } = items;
  areLinesMeant &&= value !== '';
  if (
    areRows(value) &&
    value !== defaultValue &&
    !areLinesMeant &&
    !hasFile() &&
    value === withAddresses(value, known.links)
  )
    takeTable('\t');
  known.checkedLines = undefined;
  if (!hasFile()) {
    // A check on its way, and the offer, are about other lines.
    checking?.abort();
    known.checked = undefined;
    known.reading = undefined;
    offerToSkip(lineNotes, undefined);
    clearTimeout(pause);
    if (typed().length > SAMPLES) pause = setTimeout(check, PAUSE_MS);
  }
  showLines();
  showPrice();
}

/**
 * Lets the service read the file as a job would: codes, first rows, what is wrong. Typed lines are read only
 * where some are faulty, as is known of those that are too long, and for the sizes of more codes than are shown.
 */
export async function check(hasFaultyLine = false) {
  clearTimeout(pause);
  checking?.abort();
  const isReady = obstacle() === '';
  known.news = '';
  known.checkedBefore = shownCheck();
  known.checked = undefined;
  known.checkedLines = undefined;
  known.isOtherStyle = false;
  showLines();
  const isFile = hasFile();
  if (!isFile) {
    showNothing();
    if (!known.hasLongLine && !hasFaultyLine && !known.hasWidth && typed().length <= SAMPLES) {
      known.reading = undefined;
      offerToSkip(lineNotes, undefined);
      showPrice();
      return;
    }
  }
  checking = new AbortController();
  const reading = { done: read(isFile, checking.signal), isReady };
  known.reading = reading;
  showState();
  await reading.done;
  if (known.reading !== reading) return;
  known.reading = undefined;
  keepSoon();
  showState();
}

async function read(isFile, signal) {
  // People who type lines need no script for tables.
  const loading = isFile ? import('./studio-table.js') : undefined;
  loading?.catch(() => undefined);
  let script;
  if (isFile) {
    const price = placeOf('[data-price]');
    price.textContent = 'Reading the file…';
    if (!known.checkedBefore) [found.hidden, found.textContent] = [false, price.textContent];
  }
  try {
    await known.converting;
    const fields = settled();
    const shape = shapeOf();
    if (isFile) fields.delete('items');
    const response = await fetch(form.dataset.check ?? '', { method: 'POST', body: fields, signal });
    if (!(await signedIn(response))) return;
    known.checked = response.ok
      ? { ...(await response.json()), shape }
      : unread(
          `The file could not be read. ${reasonOf(pageOf(await response.text())).at(-1)}`,
          response.status === 413,
        );
    script = await loading;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const problem = (await changedFile()) ?? 'The service did not answer. Choose the file again.';
    if (signal.aborted) return;
    // Chromium would report its abort as an error of the page.
    checking = undefined;
    known.checked = unread(problem);
    script = await loading?.catch(() => undefined);
  }
  if (signal.aborted) return;
  if (!isFile) {
    known.checkedLines = known.checked;
    offerToSkip(lineNotes, known.checkedLines);
    showPrice();
    void refresh();
    return;
  }
  if (!script) {
    found.hidden = false;
    found.replaceChildren(note('bad', ...known.checked.problems), plainButton('Try again', check));
    showPrice();
    return;
  }
  const { clearPatterns, guessedColumns, keptChoices, remember, showCheck } = script;
  if (isOtherList) clearPatterns();
  if (known.checked.isNoList && lastList) {
    keepList(lastList);
    return;
  }
  const { table } = known.checked;
  if (isOtherList && table?.columns.length > 0) {
    const kept = keptChoices(table);
    const isAnew = isSheetKept && Object.keys(kept).length === 0;
    // The sheet of another list has its name by chance, and another sheet may have the links.
    const choices = isAnew ? { sheet: '' } : kept;
    // Those for the columns follow that of their sheet.
    isSheetKept = !isAnew && 'sheet' in choices;
    isOtherList = isSheetKept;
    if (isAnew || Object.values(choices).some(Boolean)) {
      choose(choices);
      return;
    }
  }
  if (isOtherChoice && table?.columns.length > 0) {
    remember(table);
    isOtherChoice = false;
  }
  if (inputOf('encoding').value === '') known.encoding = table?.encoding ?? '';
  const isChosen = ['columns', 'kind', 'dataPattern'].some((name) => inputOf(name).value);
  const guessed = isChosen ? undefined : guessedColumns(table);
  if (guessed !== undefined) {
    choose(guessed);
    return;
  }
  if (refusal !== '') known.checked.notices.unshift(refusal);
  refusal = '';
  lastList = known.checked.isNoList || known.checked.isUnread ? undefined : asRead();
  showCheck(found, known.checked, (choices, isData = false) => {
    markChanged();
    const isAnswer = Object.keys(choices).every((name) => ANSWERS.has(name));
    const guess = isData ? 'meant' : guessAfter(choices, isAnswer);
    // A kind is proposed for the sheet that is open.
    if ('sheet' in choices && !('kind' in choices)) leaveSheet(script);
    isOtherChoice ||= !isAnswer;
    choose({ guess, ...choices });
  });
  offerToSkip(encoding, asks(known.checked) ? undefined : known.checked);
  if (known.checked.isUnread) found.append(plainButton('Try again', check));
  showValues();
  showPrice();
  void refresh();
}

/** The guess after a choice by hand: whoever goes on to other columns or patterns has seen it. */
function guessAfter(choices, isAnswer) {
  const { value } = inputOf('guess');
  return 'sheet' in choices || (value === 'open' && !isAnswer) ? '' : value;
}

/** Keeps the choices for a sheet, and begins those for another one. */
function leaveSheet({ clearPatterns, remember }) {
  if (isOtherChoice && !isOtherList) remember(shownCheck().table);
  isOtherList = true;
  clearPatterns();
  for (const name of ['headless', 'kind', ...TYPED]) inputOf(name).value = '';
}

function showNothing() {
  encoding.hidden = true;
  for (const place of [found, placeOf('[data-table]')]) {
    place.hidden = true;
    place.replaceChildren();
  }
}

function unread(problem, isNoList = false) {
  return {
    total: 0,
    problems: [problem],
    skipped: [],
    notices: [],
    warnings: [],
    dataWarnings: [],
    actions: '',
    items: [],
    isNoList,
    isUnread: !isNoList,
  };
}

/** Shows what is wrong with the typed lines, or that they are not used. */
export function showLines() {
  const [chosen] = file.files ?? [];
  const lines = chosen ? '' : items.value;
  const long = tooLong(lines, Number(items.dataset.characters), number);
  known.hasLongLine = long.length > 0;
  const hasLines = typed().length > 0;
  const unused = hasLines
    ? note('warn', 'The codes are made from the file. These lines are not used.')
    : note('', 'The rows are a table now, as if you had chosen its file.');
  unused.append(plainButton('Use the lines instead', useLines));
  items.setAttribute('aria-invalid', String(known.hasLongLine));
  const { of, said: leftOut, keep } = known.leftOut;
  const kept = note('', leftOut);
  kept.append(plainButton('Keep them', keep));
  const notes = [
    ...(leftOut !== '' && of === (chosen?.name ?? items.value) ? [kept] : []),
    ...long.map((text) => note('bad', text)),
    ...(chosen && (hasLines || chosen.name === PASTED) ? [unused] : []),
  ];
  // A new button would swallow the press that ends the typing.
  const said = notes.map(({ textContent }) => textContent).join('');
  if (lineNotes.textContent !== said) lineNotes.replaceChildren(...notes);
}

/** Uses the lines instead of the file, or those that it was made of. */
async function useLines() {
  const [list] = file.files ?? [];
  const { tabled } = known;
  if (typed().length === 0)
    items.value = tabled.list === list ? tabled.lines : ((await list?.text())?.replace(/^sep=.\n/, '') ?? '');
  areLinesMeant = true;
  file.value = '';
  tellChoice(file);
}

/** Reads the file again with other columns, or another sheet. */
function choose(choices) {
  for (const [name, value] of Object.entries(choices)) inputOf(name).value = value;
  void check();
}
