/** The studio's form: its parts, what the service said of it, and its items. */

import { all, boxOf, element, one } from './elements.js';
import { textsOf } from './studio-lines.js';

export const form = one(document, '[data-studio]', HTMLFormElement);
export const file = one(form, '[name=file]', HTMLInputElement);
export const items = one(form, '[name=items]', HTMLTextAreaElement);
export const logo = one(form, '[name=logo]', HTMLInputElement);
/** @param {string} name of a field */
export const inputOf = (name) => one(form, `[name=${name}]`, HTMLInputElement);
/** @param {string} selector of a part of the form */
export const placeOf = (selector) => one(form, selector, HTMLElement);
export const number = new Intl.NumberFormat(form.dataset.locale);

export function counted(amount, thing, things) {
  return `${number.format(amount)} ${amount === 1 ? thing : things}`;
}

/** Items whose pictures are shown. */
export const SAMPLES = 4;

/** What is known of the form. */
export const known = {
  /** The logo that was chosen last is being converted. */
  converting: Promise.resolve(),
  /**
   * Tells whether the chosen logo can be seen on a colour; undefined where none was chosen on this page.
   * @type {((colour: string) => boolean) | undefined}
   */
  logoShowsOn: undefined,
  /**
   * The check of the chosen file, or of typed lines; undefined where there is none, or while it is being read.
   * @type {any}
   */
  checked: undefined,
  /** The check of the chosen file before it was read again. @type {any} */
  checkedBefore: undefined,
  /** The check of typed lines: of those of which some cannot be codes, and of more than are shown. @type {any} */
  checkedLines: undefined,
  /**
   * The check under way, and whether the button worked when it began.
   * @type {{ done: Promise<void>, isReady: boolean } | undefined}
   */
  reading: undefined,
  /**
   * Files that have to be chosen again: they were chosen before the page was left, or for that `reason` not taken.
   * @type {{ name: string, file: string, isChanged?: boolean, reason?: string }[]}
   */
  missing: [],
  /** The encoding that the chosen file seems to have. */
  encoding: '',
  /** Codes whose price is shown. */
  priced: 0,
  /** Warnings of the check whose price is shown. @type {string[]} */
  warned: [],
  /** Why a press of the button made no codes, where nothing is in the way any more. */
  news: '',
  /** A line that was typed is too long for any code. */
  hasLongLine: false,
  /** The codes are those of a job whose resolution follows from a width in print, which is not known yet. */
  hasWidth: false,
  /** The style has changed since the file was read. */
  isOtherStyle: false,
  /** Reasons to refuse codes of this style. */
  styleProblems: [],
  /** Why codes of the width that is asked for cannot be had. */
  widthProblem: '',
  /** Codes are much narrower than was asked for. */
  widthMiss: '',
  /** Reasons why codes of this look may not scan. @type {string[]} */
  risks: [],
  /** Warnings about data that is probably not meant. @type {string[]} */
  doubts: [],
  /** Links of what was pasted: their words, and their addresses. @type {string[][]} */
  links: [],
  /**
   * A sentence about lines that were left out of those that are shown, or of the file of this name, and how to keep them.
   * @type {{ of: string, said: string, keep?: () => unknown }}
   */
  leftOut: { of: '', said: '' },
  /** The lines of which a table was made last. @type {{ list: File | undefined, lines: string }} */
  tabled: { list: undefined, lines: '' },
  /** Why no codes can be drawn at the moment. */
  down: '',
  isSending: false,
};

/** The check whose codes are shown: while the file is read again, the one before. */
export function shownCheck() {
  return known.checked ?? known.checkedBefore;
}

/**
 * Items to draw, in order: the first of the file, or of the lines that were typed, with their places, and the longest and the shortest
 * line.
 */
export function firstItems() {
  if (hasFile()) return shownCheck()?.items ?? [];
  if (known.checkedLines?.total && known.checkedLines.faulty) return known.checkedLines.items;
  const limit = Number(items.dataset.characters);
  const lines = items.value
    .split('\n')
    .map((line, at) => ({ data: line.trim(), at }))
    .filter(({ data }) => data !== '' && [...data].length <= limit);
  return samplesOf(lines).map(({ data, at }) => ({ data, place: `Line ${number.format(at + 1)}` }));
}

function samplesOf(lines) {
  const others = lines.slice(SAMPLES - 2);
  let [shortest, longest] = [others[0], others[0]];
  for (const line of others) {
    if (line.data.length < shortest.data.length) shortest = line;
    else if (line.data.length > longest.data.length) longest = line;
  }
  if (shortest === longest) return lines.slice(0, SAMPLES);
  return [...lines.slice(0, SAMPLES - 2), ...others.filter((line) => line === shortest || line === longest)];
}

/** The list of a job as a file: its time tells it from a person's own. @param {BlobPart} list @param {string} job */
export function listOfJob(list, job) {
  return new File([list], `${job}.ndjson`, { lastModified: 0 });
}

/** The name of the job whose list that is; undefined for a file of a person's own. @param {File} [list] */
export function jobOf(list) {
  return list?.lastModified === 0 ? /^(.*)\.ndjson$/s.exec(list.name)?.[1] : undefined;
}

export function typed() {
  return textsOf(items.value);
}

export function hasFile() {
  return Boolean(file.files?.length);
}

export function hasList() {
  return hasFile() || typed().length > 0;
}

export function count() {
  return hasFile() ? (known.checked?.total ?? 0) : known.checkedLines?.total || typed().length;
}

/** @param {HTMLElement} input whose value is another one now */
export function tellChoice(input) {
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
}

export function plainButton(text, act) {
  const made = Object.assign(element('button', text), { type: 'button', className: 'plain compact' });
  made.addEventListener('click', () => void act());
  return made;
}

/** The answer to a question is in the way of the codes, rather than a problem. @param {any} [check] */
export function asks({ table } = {}) {
  const asksForColumns = table?.asksForColumns && (table.asksForField || (isPlain() && !hasData(table)));
  const asksForMeant = guessedColumn(table) ?? (offersKind(table) && !areLinksMeant());
  const asksForCells = table?.asksForLinks || table?.asksForDates || table?.asksForCountry || table?.asksForDay;
  const asksForValues = table?.asksForEncoding || asksForCells || asksForOpen(table);
  return Boolean(asksForValues || asksForColumns || asksForMeant);
}

/** The list looks like one of another kind than the links that its codes would be. */
export function offersKind(table) {
  return Boolean(table?.proposedKind) && isPlain();
}

/** The column that was guessed to hold the links, until a person says whether it does. @param {any} table */
export function guessedColumn(table) {
  return inputOf('guess').value === 'open' ? table?.columns.find(({ role }) => role === 'data') : undefined;
}

/** A person said that the codes are the links that were found in the file. */
export function areLinksMeant() {
  return inputOf('guess').value === 'meant';
}

/** Neither a kind nor a pattern is chosen: each code is the text of a column. */
export function isPlain() {
  const choices = ['kind', 'dataPattern', 'captionPattern', 'filenamePattern'];
  return choices.every((name) => inputOf(name).value === '');
}

/** Networks have no password, and nobody said whether they are open. */
export function asksForOpen(table) {
  return table?.passwordlessNetworks > 0 && inputOf('open').value === '';
}

export function hasData({ columns }) {
  return columns.some(({ role }) => role === 'data');
}

/**
 * @param {string} kind
 * @param {string[]} texts a paragraph each
 */
export function note(kind, ...texts) {
  return boxOf(`note ${kind}`, ...texts.map((text) => element('p', text)));
}

/** Shows the choice to keep the logo of a style or a job, unless a person's own stands. True where there is one. */
export function showKept() {
  const [kept] = all(form, '[name=keptLogo]', HTMLInputElement);
  if (!kept) return false;
  const hasOwn = Boolean(logo.files?.length);
  if (hasOwn) kept.checked = false;
  /** @type {HTMLElement} */ (kept.parentElement).hidden = hasOwn;
  return true;
}
