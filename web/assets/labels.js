/** The page of labels, live: the drawing and the file follow every choice, and what is wrong stands at its field. */

import { all, one } from './elements.js';

const PAUSE_MS = 250;

const form = one(document, '[data-labels]', HTMLFormElement);

let timer;
/** The choices that the page shows. */
let shown = queryOf();
let asking;

/** The queries of the last sheet that was drawn, and of the last one that became a file. */
const DRAWN = 'labels';
const MADE = 'labels made';
/** Fields that suit one sheet, with their values for one that was never chosen; none stays as it is. */
const OF_SHEET = {
  size: '',
  captionSize: '',
  caption: 'auto',
  cutMarks: '',
  labelWidth: undefined,
  labelHeight: undefined,
};
const OF_ONE_JOB = ['first', 'printRows'];
/** Choices for the codes of one job, until a file is made with them. */
const TRIED = ['cutMarks', 'size', 'captionSize', 'caption'];
const sheet = one(form, '[name=sheet]', HTMLSelectElement);
/** The choices for other sheets, by the names of these. */
const chosenFor = new Map();
setOff(document);
if (!new URLSearchParams(location.search).has('sheet')) void takeUp();
let chosenSheet = sheet.value;

form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(renew, PAUSE_MS);
});
form.addEventListener('change', ({ target }) => {
  if (target === sheet) changeSheet();
  void renew();
});

// A label of the drawn sheet is the one to start at.
document.addEventListener('click', (event) => {
  const label = event.target instanceof Element ? event.target.closest('.labels a') : null;
  if (!(label instanceof SVGAElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  one(form, '[name=first]', HTMLInputElement).value = label.dataset.number ?? '';
  void renew();
});

form.addEventListener('submit', (event) => {
  const { submitter } = event;
  const isFile = submitter instanceof HTMLButtonElement && 'download' in submitter.dataset;
  if (isFile && shown === queryOf() && !firstInvalid()) {
    stored(MADE, shown);
    return;
  }
  event.preventDefault();
  void send(isFile ? submitter : undefined);
});

/** Renews the page, then sends the form where nothing is wrong with it. */
async function send(submitter) {
  await renew(true);
  const invalid = firstInvalid();
  if (invalid) invalid.focus();
  if (invalid || !submitter) return;
  // If the service did not answer here, its answer to the form says why.
  shown = queryOf();
  form.requestSubmit(submitter);
}

/** Keeps the fields of the sheet that was left, fills in those of the chosen one, and says so. */
function changeSheet() {
  one(form, '#last-sheet', HTMLElement).hidden = true;
  const left = Object.fromEntries(Object.keys(OF_SHEET).map((name) => [name, valueOf(fieldNamed(name))]));
  chosenFor.set(chosenSheet, left);
  chosenSheet = sheet.value;
  const own = chosenFor.get(chosenSheet) ?? OF_SHEET;
  for (const name of Object.keys(OF_SHEET)) setValue(fieldNamed(name), own[name] ?? left[name]);
  const isLeft = ([name, usual]) =>
    usual !== undefined && left[name] !== usual && left[name] !== valueOf(fieldNamed(name));
  one(form, '#sheet-changed', HTMLElement).hidden = !Object.entries(OF_SHEET).some(isLeft);
}

function fieldNamed(name) {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found;
  throw new Error(`There is no field ${name}.`);
}

/** @param {HTMLInputElement | HTMLSelectElement} of */
function valueOf(of) {
  return of.type === 'checkbox' && !of.checked ? '' : of.value;
}

function setValue(of, value) {
  if (of.type === 'checkbox') of.checked = value !== '';
  else of.value = value;
}

/** Takes the last choices in this browser, without those that belong to one job, or that its codes cannot have. */
async function takeUp() {
  const made = stored(MADE);
  const kept = new URLSearchParams(made ?? stored(DRAWN) ?? '');
  if (!kept.has('sheet')) return;
  const without = new Set(made === null ? [...OF_ONE_JOB, ...TRIED] : OF_ONE_JOB);
  for (const control of form.elements) {
    const isField = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
    if (isField && !without.has(control.name)) setValue(control, kept.get(control.name) ?? '');
  }
  const told = one(form, '#last-sheet', HTMLElement);
  told.hidden = false;
  const shift = one(form, 'details', HTMLDetailsElement);
  shift.open ||= all(shift, 'input', HTMLInputElement).some(({ value }) => Number(value) !== 0);
  await renew();
  for (const name of TRIED) {
    const unfit = fieldNamed(name);
    const usual = OF_SHEET[name];
    // A person may have chosen something meanwhile.
    if (shown !== queryOf() || unfit.ariaInvalid !== 'true' || unfit.value === usual) continue;
    told.textContent = 'As last time, but for what these codes have no room for. ';
    setValue(unfit, usual);
    await renew();
  }
}

/**
 * @param {string} place
 * @param {string} [query] to store
 */
function stored(place, query) {
  try {
    if (query !== undefined) localStorage.setItem(place, query);
    return localStorage.getItem(place);
  } catch {
    // The browser keeps nothing.
    return null;
  }
}

/**
 * Pressed all the same, a button leads to what is wrong. Without scripts it is never off: the page does not see what is corrected.
 * @param {Document} page that says whether there is a file
 */
function setOff(page) {
  const isOff = page.querySelector('[data-download][data-off]') !== null;
  for (const button of all(form, '[data-download]', HTMLButtonElement)) button.ariaDisabled = isOff ? 'true' : null;
}

function firstInvalid() {
  return all(form, '[aria-invalid]', HTMLElement)[0];
}

function queryOf() {
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  );
  return String(new URLSearchParams(fields));
}

/**
 * Shows what the service says about the choices of the form.
 * @param {boolean} [isSent] fields that are still empty are complained about too
 */
async function renew(isSent = false) {
  clearTimeout(timer);
  const query = queryOf();
  const url = `${form.action}?${query}`;
  asking?.abort();
  asking = new AbortController();
  const page = await load(url, asking.signal);
  if (!page) return;
  shown = query;
  history.replaceState(history.state, '', url);
  const chosen = document.activeElement?.closest('.labels a')?.getAttribute('data-number');
  for (const part of all(document, '[data-live]', HTMLElement)) {
    const renewed = page.querySelector(`#${part.id}`);
    // What it was about is gone, as a correction that was deleted.
    if (!(renewed instanceof HTMLElement)) {
      part.replaceChildren();
      continue;
    }
    const field = part.dataset.of === undefined ? undefined : one(form, `#${part.dataset.of}`, HTMLElement);
    // Nobody has typed there yet.
    if (!isSent && field instanceof HTMLInputElement && field.value === '') renewed.textContent = '';
    if (part.innerHTML !== renewed.innerHTML) part.replaceChildren(...renewed.childNodes);
    if (field) field.ariaInvalid = part.textContent ? 'true' : null;
  }
  setOff(page);
  if (document.querySelector('.labels image')) stored(DRAWN, query);
  if (chosen) one(document, `.labels [data-number="${chosen}"]`, SVGAElement).focus();
}

/** The page at an address; nothing where a later one was asked for, or the service does not answer. */
async function load(url, signal) {
  try {
    const response = await fetch(url, { signal });
    if ((!response.ok && response.status !== 422) || response.redirected) return undefined;
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}
