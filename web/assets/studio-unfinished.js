/** The list that was not finished when its tab was closed: the browser keeps it for its person, and the studio offers it again. */

import { ask, times } from './prepare.js';
import { element, file, form, note, number, plainButton, typed } from './studio-form.js';

/** The last list of this organisation, and beside it its files, as the tab keeps them. */
const key = location.pathname;
const FILES = [`${key} file`, `${key} logo`];

/** The key of the person whose lists the browser keeps. */
const PERSON = '/account/person';

/** A session ends when nobody has used it for so long. */
const KEPT_MS = 14 * 24 * 3_600_000;

/** Files of the tab that the browser does not have as they are now. */
const stale = new Set(FILES);

/** Says that only one of two lists is kept. */
const warning = note(
  'warn',
  'You began another list in another tab. If both tabs are closed, only the list that you changed last is kept.',
);
warning.setAttribute('role', 'status');

/** The offer of a list that was left. It says what becomes of that list. */
const offer = element('div', '');

/** The draft that was kept last. @returns {any} */
export function left() {
  return JSON.parse(localStorage.getItem(key) ?? 'null');
}

/** The tab has another file in that place. @param {string} place */
export function markStale(place) {
  stale.add(place);
}

/** Keeps the draft of the tab beyond the tab, where it has a list or a logo and no list was changed later. @param {any} draft */
export function keepBeyond(draft) {
  const isList = draft.files.length > 0 || hasLines(draft);
  if (draft.isSent || !isList) {
    forget(draft.id);
    return;
  }
  const last = left();
  const isOwn = last?.id === draft.id;
  if (!isOwn && last?.at > draft.at) return;
  if (last && !isOwn && !offer.isConnected) form.before(warning);
  for (const place of FILES) {
    if (isOwn && !stale.has(place)) continue;
    copy(place, sessionStorage.getItem(place));
    stale.delete(place);
  }
  copy(key, JSON.stringify(draft));
}

/** Deletes what somebody else left, in other organisations too. @param {string} person */
export function forgetOthers(person) {
  if (localStorage.getItem(PERSON) === person) return;
  for (const place of Object.keys(localStorage)) if (place.startsWith('/account/')) localStorage.removeItem(place);
  localStorage.setItem(PERSON, person);
}

/** Forgets the draft of that id. @param {string} id */
export function forget(id) {
  if (left()?.id === id) for (const place of [key, ...FILES]) localStorage.removeItem(place);
}

function hasLines({ fields }) {
  return Boolean(Object.fromEntries(fields).items?.trim());
}

function copy(place, text) {
  try {
    if (text !== null) {
      localStorage.setItem(place, text);
      return;
    }
  } catch {
    // There is no room: the file has to be chosen again.
  }
  localStorage.removeItem(place);
}

/** Warns of the list of another tab, where this form has one too. @param {string} id of this form's draft, if it is kept */
export function warnOfOther(id) {
  const last = left();
  const hasList = Boolean(file.files?.length) || typed().length > 0;
  if (!last || last.id === id || id === '' || !hasList) warning.remove();
  else if (!warning.isConnected) form.before(warning);
}

/**
 * Offers the list that was left, above the form. One of long ago is deleted.
 * @param {() => boolean} hasOther the form on this page has something of its own
 * @param {() => void} drop ends the keeping of that form
 */
export function offerUnfinished(hasOther, drop) {
  const draft = left();
  if (!draft) return;
  if (draft.at < Date.now() - KEPT_MS) {
    forget(draft.id);
    return;
  }
  // A list that is begun on this page takes its place in the browser.
  const texts = [key, ...FILES].map((place) => [place, localStorage.getItem(place) ?? '']);
  const goOn = () => {
    drop();
    for (const [place = '', text = ''] of texts) {
      sessionStorage.removeItem(place);
      if (text !== '') sessionStorage.setItem(place, text);
    }
    // The draft is that of another showing of the page.
    history.replaceState({}, '');
    location.assign(key);
  };
  offer.className = 'note stack';
  const row = element('div', '');
  row.className = 'row';
  row.append(
    plainButton('Continue', () =>
      hasOther() ? ask('Continue? What you added here since is lost.', 'Continue', goOn) : goOn(),
    ),
    plainButton('Start over', () =>
      ask(`Start over? ${nameOf(draft)} is lost.`, 'Start over', () => {
        forget(draft.id);
        offer.remove();
      }),
    ),
  );
  offer.append(
    element(
      'p',
      `${nameOf(draft)} of ${times.format(draft.at)} is not made yet. If you begin another list, it takes its place.`,
    ),
    row,
  );
  form.before(offer);
}

/** Such as `Your list “guests.xlsx” (200 codes)`. */
function nameOf(draft) {
  const { files, codes } = draft;
  const list = files.find(({ name }) => name === 'file')?.file;
  const what = list ? `list “${list}”` : hasLines(draft) ? 'list' : 'look';
  return `Your ${what}${codes > 0 ? ` (${codes === 1 ? '1 code' : `${number.format(codes)} codes`})` : ''}`;
}
