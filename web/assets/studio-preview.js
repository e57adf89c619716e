/** The preview: the first codes as the engine draws them, their size, and what to mind. */

import { all, element, one } from './elements.js';
import { showColours } from './studio-colours.js';
import { signedIn } from './studio-draft.js';
import { PASTED, takeTable, urlOf } from './studio-fill.js';
import {
  counted,
  file,
  firstItems,
  form,
  hasFile,
  inputOf,
  items,
  known,
  logo,
  note,
  number,
  placeOf,
  plainButton,
  tellChoice,
  typed,
} from './studio-form.js';
import { withAddresses } from './studio-lines.js';
import { showState } from './studio-price.js';
import { alertOf, hideAlert, showAlert } from './studio-refusal.js';
import { offerNeeded, shapeOf, sizeFields, takeSizes } from './studio-size.js';
import { words } from './studio-words.js';

const csrf = inputOf('csrf');
const level = one(form, '[name=ecLevel]', HTMLSelectElement);
/** The level from which it was raised for the logo; empty where it was not. A draft keeps it. */
const raisedFrom = inputOf('raisedFrom');
const mark = inputOf('eci');
const logoPercent = inputOf('logoPercent');
const fontSize = inputOf('fontSize');
const levelNote = placeOf('[data-level-note]');

/** The level of codes without a logo, where nobody chooses another one. */
const USUAL_LEVEL = 'M';

const PAUSE_MS = 150;

/** Pause before a preview is asked for again where nothing answered. */
const RETRY_MS = 2_000;

let timer;
/** Ends once previews are drawn; undefined while none is. @type {Promise<void> | undefined} */
let drawing;
/** The form has changed since the last preview was asked for. */
let isStale = false;
/** A preview is asked for after a pause. */
let isDue = false;
/** Changes of the form. */
let changes = 0;
/** Error correction was chosen by hand, and is not raised. */
let isLevelChosen = false;
/** The file of which a person had all codes checked. @type {File | undefined} */
let checkedFile;

/** Checks all codes of the list in the style of the form. @type {(hasFaultyLine?: boolean) => unknown} */
let checkAgain = () => undefined;

level.addEventListener('change', () => {
  isLevelChosen = true;
  raisedFrom.value = '';
  levelNote.textContent = '';
});

/** Another logo, size of it, or list may need no higher level. Nothing else lowers it. */
export function lowerLevel() {
  if (raisedFrom.value === '') return;
  level.value = raisedFrom.value;
  raisedFrom.value = '';
  known.isOtherStyle = true;
  refreshSoon();
}

logoPercent.addEventListener('input', lowerLevel);
form.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'keptLogo') offerUsualLevel(target.checked);
});

/** The level may be that which a logo needed: without it, a lower one makes smaller codes. */
function offerUsualLevel(hasLogo) {
  const notice = placeOf('[data-logo-notice]');
  notice.textContent = '';
  const usual = [...level.options].find(({ value }) => value === USUAL_LEVEL);
  if (hasLogo || !usual || level.selectedIndex <= usual.index) return;
  const button = plainButton(`Use ${usual.value}`, () => {
    notice.textContent = '';
    change(level, usual.value);
  });
  notice.append(`Error correction is still ${level.value}, which makes larger codes. `, button);
}

/** Begins to draw previews. @param {() => unknown} check checks all codes of the file again */
export function takeUpPreview(check) {
  checkAgain = check;
  form.addEventListener('input', refreshSoon);
}

export function refreshSoon() {
  changes += 1;
  showValues();
  clearTimeout(timer);
  isDue = true;
  timer = setTimeout(refresh, PAUSE_MS);
}

/** Shows sizes as numbers, colours as texts. */
export function showValues() {
  for (const output of all(form, 'output[data-for]', HTMLOutputElement)) {
    const { value } = inputOf(output.dataset.for ?? '');
    const { noun } = output.dataset;
    output.value = noun === undefined ? value : `${value} ${noun}${value === '1' ? '' : 's'}`;
  }
  showColours();
  const fields = new FormData(form);
  const has = {
    logo: Boolean(logo.files?.length) || fields.has('keptLogo'),
    caption: fields.get('caption') !== '' || firstItems().some(({ caption }) => caption),
  };
  for (const part of all(form, '[data-with]', HTMLElement)) part.hidden = !has[part.dataset.with ?? ''];
  const ground = fields.has('transparent') ? 'white' : inputOf('background').value;
  placeOf('[data-unseen-logo]').textContent =
    known.logoShowsOn?.(ground) === false
      ? 'Codes hardly show this logo: it has the colour of the background, or is transparent.'
      : '';
}

/** One preview at a time: the service draws one for a person. A change meanwhile is drawn after it. */
export function refresh() {
  isStale = true;
  isDue = false;
  drawing ??= draw().finally(() => {
    drawing = undefined;
  });
  return drawing;
}

async function draw() {
  while (isStale) {
    isStale = false;
    await ask();
  }
}

/** Waits for the check and for the previews, also of what has just changed. */
export async function answered() {
  for (;;) {
    if (isDue) void refresh();
    const run = known.reading?.done ?? drawing;
    if (!run) return;
    await run;
  }
}

async function ask() {
  await known.converting;
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
  const { items: _, csrf: __, submission: ___, ...style } = fields;
  const asked = changes;
  const drawn = firstItems();
  const response = await fetch(form.dataset.studio ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Form-Token': csrf.value },
    body: JSON.stringify({
      fields: {
        ...style,
        ...sizeFields(),
        isTyped: hasFile() ? '' : 'on',
        logo: logo.files?.[0] ? await urlOf(logo.files[0]) : '',
      },
      items: drawn,
    }),
  }).catch(() => undefined);
  if (response && !(await signedIn(response))) return;
  // The line may break within an answer.
  const answer = response?.ok ? await response.json().catch(() => undefined) : undefined;
  // Another tab is being served, or the line broke within the answer.
  const isLater = response?.ok || response?.status === 429;
  const isDown = !answer && !isLater && (!response || response.status >= 500);
  const away = response ? 'The service draws no codes at the moment.' : 'The service did not answer.';
  const wasDown = known.down !== '';
  known.down = isDown ? away : '';
  if (answer) {
    if (wasDown) hideAlert(true);
    // A sample says nothing of a list, which may have come meanwhile.
    show(answer, asked, drawn.length > 0 || (!hasFile() && typed().length === 0));
  } else if (isDown || isLater) {
    // It is about an earlier look.
    if (isDown) placeOf('[data-reading]').textContent = '';
    timer = setTimeout(refresh, 1_000 * Number(response?.headers.get('Retry-After')) || RETRY_MS);
    showState();
  } else {
    // The problem of an earlier style is no obstacle to this one.
    known.styleProblems = [];
    showState();
  }
}

/** Shows an answer to the form as it was after so many changes. */
function show(answer, asked, isOfList) {
  const { samples, notes, problems, logoProblem = '', curl, neededLevel, risks } = answer;
  known.styleProblems = problems;
  const atLogo = placeOf('[data-logo-problem]');
  if (atLogo.textContent !== '' && logoProblem === '') hideAlert();
  atLogo.textContent = logoProblem;
  if (neededLevel && isOfList && !isLevelChosen && asked === changes) {
    raisedFrom.value ||= level.value;
    level.value = neededLevel;
    known.isOtherStyle = true;
    isStale = true;
    return;
  }
  const from = raisedFrom.value;
  levelNote.textContent =
    from &&
    `Error correction is raised from ${from} to ${level.value}: the logo covers too much of the code for ${from}.`;
  // A preview of an earlier form says nothing of the width that is asked for now.
  if (asked === changes && takeSizes(answer)) {
    known.isOtherStyle ||= hasFile();
    showValues();
  }
  showState();
  // The widest code may be another one. Lines that were typed are few enough to be checked again for each style.
  const isOther = known.checked?.shape !== shapeOf() || (known.checkedLines && known.isOtherStyle);
  // Those of the list were too large, at another scale perhaps.
  const wasTooLarge = known.isOtherStyle && known.checked?.problems.some((text) => text.includes(' px are allowed'));
  if (known.checked?.shape && (isOther || wasTooLarge)) void checkAgain(true);
  const [first, ...others] = samples;
  const picture = placeOf('.picture');
  picture.hidden = !first;
  if (first) {
    const image = one(picture, 'img', HTMLImageElement);
    image.src = first.picture;
    image.alt = first.scans === false ? 'The first code, which does not scan' : 'The first code';
  }
  showSaid(answer.says);
  const list = placeOf('[data-samples]');
  list.hidden = others.length === 0;
  list.replaceChildren(
    ...others.map((sample, index) => {
      const alt = `Code ${index + 2}${sample.scans === false ? ', which does not scan' : ''}`;
      return element('li', Object.assign(new Image(), { src: sample.picture, alt }));
    }),
  );
  const isRead = Boolean(hasFile() && known.checked?.total);
  // Those of the whole list, once it was read; those about the look, once read with this one.
  const source = known.checked?.total ? known.checked : answer;
  const { warnings, logoRisks } = known.isOtherStyle ? answer : source;
  const inPrint = all(form, '[data-with]:not([hidden]) [data-print-problem]:not(:empty)', HTMLElement);
  const printWarnings = inPrint.map(({ textContent }) => textContent ?? '');
  const misses = known.widthMiss === '' ? [] : [known.widthMiss];
  const dataWarnings = [...(hasFile() || hasAddresses() ? [] : [WORDS]), ...source.dataWarnings];
  const told = [...misses, ...notes, ...warnings, ...printWarnings, ...dataWarnings];
  known.risks = [...risks, ...logoRisks];
  known.doubts = dataWarnings.filter((text) => text.includes('probably not meant'));
  const reading = placeOf('[data-reading]');
  reading.textContent = problems.length === 0 ? readingOf(answer.reading) : '';
  reading.classList.toggle('danger', first?.scans === false);
  // A preview is about the first codes alone.
  const isOfAll = source !== answer || (!hasFile() && typed().length === firstItems().length);
  placeOf('[data-actions]').textContent = firstItems().length > 0 && isOfAll ? source.actions : '';
  placeOf('[data-warnings]').replaceChildren(
    ...problems.map((text) => note('bad', text)),
    ...told.map(warningOf(new Set())),
    ...(isRead && problems.length === 0 ? checkOfAll(told.length > 0) : []),
  );
  const notesShown = problems.length + told.filter((text) => !isHint(text)).length;
  const link = placeOf('[data-warning-count]');
  link.hidden = notesShown === 0;
  // A job of no use to scanners is paid like any other: its warning stands beside the button.
  link.textContent = known.risks[0] ?? counted(notesShown, 'warning', 'warnings');
  link.classList.toggle('danger', known.risks.length + misses.length > 0);
  one(document, '#curl', HTMLElement).textContent = curl;
}

/** Shows what the first code of a file says: the names of columns may mean something else. */
function showSaid(says = []) {
  const place = placeOf('[data-says]');
  place.hidden = says.length === 0 || !hasFile() || firstItems().length === 0;
  const rows = says.flatMap(({ label, value }) => [element('dt', label), element('dd', value)]);
  one(place, 'dl', HTMLElement).replaceChildren(...rows);
}

/** The choice of the style that some warnings call by its label. */
const MARK = 'Mark the text as UTF-8';

/** Phones need no mark. */
const isHint = (text) => text.includes(MARK);

/** What a warning about links without a scheme says to do. */
const WRITE = 'Write https:// in front';

/** The warning about words of links. */
const WORDS = 'Links were pasted as words, without their addresses, which is probably not meant.';

/** Makes boxes of warnings, with buttons for the choices that they name, which may be out of sight. `offered`: the buttons of the boxes so far. */
const warningOf = (offered) => (text) => {
  const box = note(isHint(text) ? '' : 'warn', text);
  const offer = offerOf(text);
  for (const [label, press, isOfCountry] of offer ? [offer] : offersOfLines(text)) {
    if (!offered.has(label)) box.append(isOfCountry ? countryChoice(label, press) : plainButton(label, press));
    offered.add(label);
  }
  if (!box.querySelector('button')) offerNeeded(box, text);
  box.classList.toggle('stack', box.querySelector('button, select') !== null);
  return box;
};

/** @typedef {[string, (code?: string) => unknown, boolean?]} Offer the label of a button or choice, and what it does */

/** @returns {Offer | undefined} */
function offerOf(text) {
  const [, size] = /, size (\d+)\.$/.exec(text) ?? [];
  if (size !== undefined) return [`Use size ${size}`, () => change(fontSize, size)];
  const [, percent] = /a logo of (\d+) %/.exec(text) ?? [];
  if (percent !== undefined) {
    const useSize = () => {
      const from = raisedFrom.value;
      // It is the size for this level.
      raisedFrom.value = '';
      change(logoPercent, percent);
      raisedFrom.value = from;
    };
    return [`Use ${percent} %`, useSize];
  }
  if (isHint(text) && !mark.checked) return [MARK, () => mark.click()];
  if (text.includes(WRITE) && areLinksOfColumn()) {
    return [WRITE, async () => (await import('./studio-patterns.js')).writeBeforeLinks('https://')];
  }
  return undefined;
}

/** The lines have those of pasted links. */
const hasAddresses = () => items.value === withAddresses(items.value, known.links);

/** For a warning about typed lines. @returns {Offer[]} */
function offersOfLines(text) {
  if (text === WORDS) {
    const write = () => {
      writeLines(withAddresses(items.value, known.links));
      // More words may be the same.
      known.links = [];
    };
    const named = () => withAddresses(items.value, known.links, true);
    return [
      ['Use the addresses', write],
      ['Use the addresses, with their words as captions', changeLines('captions', named)],
    ];
  }
  // Another change would lose the addresses.
  if (!hasAddresses()) return [];
  const [, what, by = what === 'tabs' ? '\t' : ';'] = / table, with (tabs|cells|“(.)”) /.exec(text) ?? [];
  if (what) return [['Read them as a table', () => takeTable(by)]];
  const [, presses] = words.presses.find(([said]) => said.some((part) => text.includes(part))) ?? [];
  return (presses ?? []).flatMap(([label, wanted]) => {
    const isOfCountry = wanted === 'country';
    return !hasFile() || (isOfCountry && isTabled()) ? [[label, changeLines(wanted), isOfCountry]] : [];
  });
}

/** The file is the table that the lines became. */
const isTabled = () => known.tabled.list === file.files?.[0];

function countryChoice(label, press) {
  const options = [['', 'Choose'], ...words.callingCodes].map(([code, text]) => new Option(text, code));
  const choice = element('select', ...options);
  choice.addEventListener('change', () => press(choice.value));
  return element('label', `${label} `, choice);
}

/** Lets the service change the lines, by the rules of its warnings. */
const changeLines =
  (what, linesOf = () => items.value, keep = '') =>
  async (code = '') => {
    const { value } = items;
    const [list] = file.files ?? [];
    const isOfTable = list && code !== '';
    const lines = isOfTable ? (await list.text()).replace(/^sep=.\n/, '') : linesOf();
    const fields = new FormData();
    for (const [name, text] of Object.entries({ csrf: csrf.value, items: lines, change: what, keep, code }))
      fields.set(name, text);
    const response = await fetch(`${form.action}/lines`, { method: 'POST', body: fields }).catch(() => undefined);
    if (response && !(await signedIn(response))) return;
    const changed = response?.ok ? await response.json().catch(() => undefined) : undefined;
    if (!changed) showAlert(alertOf('The service did not change the lines. Try again.'));
    else if (items.value === value) {
      const isTable = isOfTable || what === 'captions';
      const keepThem = changeLines(what, () => lines, 'on');
      if (!isOfTable) known.leftOut = { of: isTable ? PASTED : changed.lines, said: changed.said, keep: keepThem };
      if (isTable) {
        takeTable('\t', changed.lines);
        known.tabled = { list: file.files?.[0], lines: isOfTable ? known.tabled.lines : lines };
      } else writeLines(changed.lines);
    }
  };

/** A person can undo this. */
function writeLines(lines) {
  items.select();
  if (!document.execCommand('insertText', false, lines)) items.value = lines;
  tellChoice(items);
}

function change(field, value) {
  field.value = value;
  tellChoice(field);
}

/** The codes of a file are links of a column. */
function areLinksOfColumn() {
  const { table, dataWarnings } = known.checked ?? {};
  return table?.columns.some(({ role }) => role === 'data') && !/ not[,:] /.test(dataWarnings.join());
}

/** Offers to check all codes of a file in another style, or says that it is done. */
function checkOfAll(isWarned) {
  const { total } = known.checked;
  const codes = total === 1 ? 'the code' : `all ${number.format(total)} codes`;
  if (known.isOtherStyle) {
    checkedFile = undefined;
    const button = plainButton(`Check ${codes} in this style`, () => {
      checkedFile = file.files?.[0];
      button.disabled = true;
      button.textContent = 'Checking…';
      return checkAgain();
    });
    return [button];
  }
  if (!checkedFile || checkedFile !== file.files?.[0]) return [];
  return [note('', `Checked ${codes}${isWarned ? '' : ': no problem found'}.`)];
}

/** A reader's opinion of a code, in one line. */
function readingOf(reading) {
  if (!reading) return '';
  if (firstItems().length > 0) return `First code. ${reading}`;
  // A sample says nothing of a file that cannot be read.
  return hasFile() ? 'Sample code.' : `Sample code. ${reading}`;
}
