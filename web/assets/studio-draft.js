/** The studio's form as its person left it: kept in the tab, and filled in again. */

import { all } from './elements.js';
import { bytesOf, choose, fill, urlOf } from './studio-fill.js';
import { form, hasList, inputOf, items, jobOf, known } from './studio-form.js';
import {
  forget,
  forgetOthers,
  isOffered,
  key,
  keepBeyond,
  keptIn,
  left,
  markStale,
  offerUnfinished,
  put,
  warnOfOther,
} from './studio-unfinished.js';

const SIGN_IN = '/account/sign-in';

/** Bytes of a file that is kept. A browser keeps five million characters for a site, in base64. */
const KEPT_BYTES = 3_000_000;

/** Fields that belong to one showing of the page. */
const OWN = new Set(['csrf', 'submission']);

/** Fields that belong to the chosen file. */
const OF_FILE = new Set(
  'columns guess sheet headless links dates callingCode encoding open skip placeholders checkDigits'.split(' '),
);

/** Fields that neither the style nor the list of a job has. */
const OF_JOB = new Set(['roles', 'then']);

const FILES = ['file', 'logo'];

/** The key of a look that was changed where a list is offered. It takes no place of that list. */
const BESIDE = `${key} look`;

/** The key of the last jobs that this browser made for label sheets. It outlives a session. */
const FOR_LABELS = 'label-jobs';
const MOST_JOBS = 100;

/** The key of the person whose drafts the tab keeps. */
const PERSON = 'person';

/** The key of what no service knows of the last jobs, such as names of columns. */
const MADE = `${key} jobs`;

/** The page's place in the history of the tab. */
const entry = history.state?.entry ?? `${Date.now()} ${Math.random()}`;
const isReturn = history.state?.entry === entry;
history.replaceState({ ...history.state, entry }, '');

/** Names the draft wherever it is kept. */
let id = entry;

/** Pause after a change until the draft is kept: a browser may end without a word. */
const PAUSE_MS = 300;

let timer;

/** Something was typed or chosen, now or before. */
let isWorthKeeping = false;

/** When the form was changed last. */
export let changedAt = Date.now();

/** The job that the form became, if nothing was changed since: who goes back gets the form again. */
let madeJob = '';

/** The form is kept beside the list that the page offers. */
let isBeside = false;

/** The form has nothing but a job that is made again, or a style that was saved. */
let isTaken = false;

/** The person signs out: nothing is kept any more. */
let isLeaving = false;

/** Files that are here again as they were when they were chosen. @type {WeakSet<File>} */
const restored = new WeakSet();

/** The files that were chosen last are being read. */
let reading = Promise.resolve();

/** Keeps the form whenever the page is left. */
export function keepForm() {
  // Browsers that go back would fill in some of the fields, of whatever list.
  form.autocomplete = 'off';
  for (const type of ['input', 'change']) form.addEventListener(type, markChanged);
  // Once it is saved with Enter, nothing is changed.
  inputOf('styleName').addEventListener('change', (event) => event.stopPropagation());
  form.addEventListener('input', () => keepSoon());
  const isSignOut = ({ target }) => /** @type {HTMLFormElement} */ (target).action.endsWith('/account/sign-out');
  // Before the page asks whether the draft may be lost.
  addEventListener('submit', (event) => isSignOut(event) && keep(), { capture: true });
  addEventListener('submit', (event) => {
    isLeaving = isSignOut(event) && !event.defaultPrevented;
  });
  addEventListener('pagehide', () => keep());
  // Its person signed out in another tab.
  addEventListener('storage', ({ key: place }) => {
    if (place === key) {
      // The tab is a copy of another, or that is one of it: their lists are two now.
      if (left()?.id === id) id = `${Date.now()} ${Math.random()}`;
      warn();
    }
    if (place !== '/account/signed-out' || isLeaving) return;
    isLeaving = true;
    sessionStorage.clear();
    location.reload();
  });
  // Another program may have changed a file meanwhile.
  addEventListener('focus', () => void changedFile());
  // A phone may end a page that is out of sight without a word.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') keep();
  });
}

export function keepSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => keep(), PAUSE_MS);
}

/** The form is no longer the one that became a job. */
export function markChanged() {
  isWorthKeeping = true;
  madeJob = '';
  isTaken = false;
  changedAt = Date.now();
}

/** Nothing is lost with the form: its list and its look are those of a job, or it has none and its look was saved. */
export function markTaken() {
  isTaken = true;
}

function warn() {
  warnOfOther(isWorthKeeping && !madeJob && !isTaken ? id : '');
}

/** The form became a job, and nothing was changed since. */
export function isMade() {
  return madeJob !== '';
}

/** The form is a job now, whose page has that address. Keeps what a form of that job needs. */
export function markSent(url) {
  [, madeJob = ''] = /\/jobs\/([^/?]+)/.exec(url) ?? [];
  bindName();
  const fields = [...new FormData(form)].filter(([name]) => OF_JOB.has(name));
  append(MADE, { job: madeJob, fields });
  if (new FormData(form).get('then') === 'labels') append(FOR_LABELS, madeJob);
}

function append(place, job) {
  try {
    localStorage.setItem(place, JSON.stringify([...listOf(place), job].slice(-MOST_JOBS)));
  } catch {
    // There is no room.
  }
}

/** @returns {any[]} */
function listOf(place) {
  return JSON.parse(localStorage.getItem(place) ?? '[]');
}

/** Fills in what the browser has of the job that is made again. */
export function takeUpJob() {
  const { value } = inputOf('madeFrom');
  const made = listOf(MADE).findLast(({ job }) => job === value);
  if (made) fill(made.fields, new Set());
  else if (listOf(FOR_LABELS).includes(value)) fill([['then', 'labels']], new Set());
}

function keep() {
  if (!isWorthKeeping || isLeaving) return;
  const fields = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !OWN.has(name));
  const files = FILES.flatMap((name) => {
    const chosen = [...(inputOf(name).files ?? [])].map((file) => ({ name, file: file.name, job: jobOf(file) }));
    return chosen.length > 0 ? chosen : known.missing.filter((file) => file.name === name);
  });
  const { value, defaultValue } = inputOf('name');
  const isNameOfJob = value !== '' && value === defaultValue;
  const state = { id, entry, at: changedAt, madeJob, isTaken, isNameOfJob };
  const draft = { ...state, search: location.search, fields, files, codes: known.priced };
  const place = placeOfDraft();
  store(place, draft);
  if (place === key) keepBeyond(draft);
}

/** The key of the draft. The logo follows a form that was kept beside a list, and has one of its own now. */
function placeOfDraft() {
  const wasBeside = isBeside;
  isBeside = isOffered() && !hasList();
  if (wasBeside && !isBeside) {
    clear(BESIDE);
    keepFile(inputOf('logo'));
  }
  return isBeside ? BESIDE : key;
}

/**
 * Offers a list that is not made yet, of this tab or of a closed one. True where there is one.
 * @param {{ name: string, take: () => void }} [job] that is made again, once its person says so
 */
export function offerLeft(job) {
  const drop = () => {
    isWorthKeeping = false;
    clear(BESIDE);
  };
  return offerUnfinished(id, () => isWorthKeeping, drop, job);
}

/** Keeps the file that was chosen, where there is room for it. @param {HTMLInputElement} input */
export function keepFile(input) {
  const place = `${placeOfDraft()} ${input.name}`;
  sessionStorage.removeItem(place);
  markStale(place);
  const file = input.files?.[0];
  if (!file || file.size > KEPT_BYTES) return;
  const kept = urlOf(file).then(
    (url) => {
      if (input.files?.[0] !== file) return;
      store(place, { file: file.name, url, at: file.lastModified });
      markStale(place);
      keepSoon();
    },
    // The file is gone: its person is asked to choose it again.
    () => undefined,
  );
  reading = Promise.all([reading, kept]).then(() => undefined);
}

/**
 * Why a request with the chosen files fails: browsers send none that has changed. The draft forgets what such a file had before.
 */
export async function changedFile() {
  for (const input of FILES.map((name) => inputOf(name))) {
    const chosen = input.files?.[0];
    const isReadable = await chosen
      ?.slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      );
    if (isReadable !== false || input.files?.[0] !== chosen) continue;
    const place = `${placeOfDraft()} ${input.name}`;
    store(place, { file: chosen?.name, isChanged: true });
    markStale(place);
    keep();
    return changeOf(chosen?.name);
  }
  return undefined;
}

/** @param {string | undefined} name of a file */
export function changeOf(name) {
  return `“${name}” was changed or deleted after you chose it. Choose it again.`;
}

/** When the chosen file was saved, if it is here again; 0 for any other. @param {HTMLInputElement} input */
export function restoredFrom({ files }) {
  const chosen = files?.[0];
  return chosen && restored.has(chosen) ? chosen.lastModified : 0;
}

function store(place, value) {
  put(sessionStorage, place, JSON.stringify(value));
}

/** True unless the session is over. Then goes to the sign-in page, which leads back. @param {Response} response */
export async function signedIn(response) {
  if (!response.redirected || new URL(response.url).pathname !== SIGN_IN) return true;
  if (isLeaving) return false;
  await reading;
  isWorthKeeping = true;
  keep();
  location.assign(`${SIGN_IN}?next=${encodeURIComponent(location.pathname)}&done=session-over`);
  return false;
}

/**
 * Fills in what was kept. Undefined where nothing was; otherwise whether the person comes back to this page, whether nothing would be lost
 * with the form, and whether it stands beside a list or a look beside it.
 */
export function takeUpDraft() {
  const person = form.dataset.person ?? '';
  forgetOthers(person);
  if (sessionStorage.getItem(PERSON) !== person) {
    // Somebody else has signed in. Drafts of other organisations go too.
    sessionStorage.clear();
    sessionStorage.setItem(PERSON, person);
  }
  const drafts = bothDrafts();
  const { search } = location;
  const cancelled = location.hash.slice(1);
  const isHere = (draft) => search === '' || (draft === drafts[1] && draft.search === search);
  const isOpen = (draft) => isHere(draft) && (!draft.madeJob || draft.madeJob === cancelled);
  // A list may have been taken on by a later showing of the page, and is not made yet.
  const isOfHere = (draft) => draft.entry === entry || (draft.id === entry && !draft.madeJob);
  const ordered = drafts[0]?.isTaken ? drafts.toReversed() : drafts;
  const kept = ordered.find((draft) => draft && (isReturn ? isOfHere(draft) : isOpen(draft)));
  if (!kept) return undefined;
  isWorthKeeping = true;
  isBeside = kept === drafts[1];
  ({ id, at: changedAt = changedAt, madeJob = '', isTaken = false } = kept);
  if (madeJob === cancelled) madeJob = '';
  const files = kept.files.map(({ name, file }) => {
    const stored = keptIn(`${isBeside ? BESIDE : key} ${name}`);
    return { name, url: '', ...(stored?.file === file && stored), file };
  });
  const missing = files.filter(({ url }) => url === '');
  for (const box of all(form, '[data-look] [type=checkbox]', HTMLInputElement)) box.checked = false;
  fill(kept.fields, missing.some(({ name }) => name === 'file') ? OF_FILE : new Set());
  for (const { name, file, url, at } of files) {
    if (url === '') continue;
    const input = inputOf(name);
    choose(input, new File([bytesOf(url)], file, { type: url.slice(5, url.indexOf(';')), lastModified: at }));
    if (input.files?.[0]) restored.add(input.files[0]);
  }
  known.missing = missing.map(({ name, file, isChanged }) => ({ name, file, isChanged }));
  if (madeJob || kept.isNameOfJob) bindName();
  warn();
  return { isReturn, isTaken, isBeside, hasLook: !isBeside && drafts[1]?.isTaken === false };
}

/** The name is that of a job with this list: another list does not get it. */
function bindName() {
  const name = inputOf('name');
  [name.defaultValue, items.defaultValue] = [name.value, items.value];
}

/** The draft of the list, and the look that was changed beside it. */
function bothDrafts() {
  return [key, BESIDE].map((place) => keptIn(place));
}

/** Gives the list the look that was changed beside it. */
export function takeLook() {
  markChanged();
  keep();
  const [draft, look] = bothDrafts();
  // There may have been no room.
  if (!draft || !look) return;
  const isLook = ([name]) => name.startsWith('keptLogo') || form.querySelector(`[data-look] [name=${name}]`) !== null;
  draft.fields = [...draft.fields.filter((field) => !isLook(field)), ...look.fields.filter(isLook)];
  draft.files = [...draft.files.filter(({ name }) => name === 'file'), ...look.files];
  isWorthKeeping = false;
  store(key, draft);
  store(`${key} logo`, keptIn(`${BESIDE} logo`) ?? {});
  clear(BESIDE);
  location.reload();
}

/** Forgets what was kept, and what the form has. */
export function dropDraft() {
  isWorthKeeping = false;
  forget(id);
  clear(key);
  clear(BESIDE);
}

/** Forgets the draft in that place, and its files. @param {string} place */
function clear(place) {
  for (const each of [place, ...FILES.map((name) => `${place} ${name}`)]) sessionStorage.removeItem(each);
}
