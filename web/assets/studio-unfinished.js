/** The list that was not finished when its tab was closed: the studio offers it again. */

import { element } from './elements.js';
import { form, hasList, note } from './studio-form.js';

/** The last list of this organisation, and beside it its files, as the tab keeps them. */
export const key = location.pathname;
export const FILES = [`${key} file`, `${key} logo`];

/** The key of the person whose lists the browser keeps. */
const PERSON = '/account/person';

/** A session ends when nobody has used it for so long. */
const KEPT_MS = 14 * 24 * 3_600_000;

/** Files of the tab that the browser does not have as they are now. */
const stale = new Set(FILES);

/** Says that only one of two lists is kept. */
const warning = note(
  'warn',
  'You began another list, too. Once its tab and this one are closed, only the list that you changed last is kept.',
);
warning.setAttribute('role', 'status');

/** The offer of a list that was left, and what becomes of it. */
const offer = element('div');

/** The page offers a list. */
export function isOffered() {
  return offer.isConnected;
}

/** @returns {any} */
export function keptIn(place, storage = sessionStorage) {
  return JSON.parse(storage.getItem(place) ?? 'null');
}

/** The draft that was kept last. */
export function left() {
  return keptIn(key, localStorage);
}

/** The tab has another file in that place. @param {string} place */
export function markStale(place) {
  stale.add(place);
}

/** Keeps the draft beyond the tab, where it is worth that and no list was changed later. @param {any} draft */
export function keepBeyond(draft) {
  if (!isUnmade(draft)) {
    forget(draft.id);
    return;
  }
  const last = left();
  const isOwn = last?.id === draft.id;
  const wasOffered = isOffered();
  if (draft.codes > 0) offer.remove();
  if (!isOwn && last?.at > draft.at) return;
  if (last && !isOwn && !wasOffered) form.before(warning);
  for (const place of FILES) {
    if (isOwn && !stale.has(place)) continue;
    put(localStorage, place, sessionStorage.getItem(place));
    stale.delete(place);
  }
  put(localStorage, key, JSON.stringify(draft));
}

/** The draft has a list or a logo of its person's own, and is no job yet. */
function isUnmade({ madeJob, isTaken, files, fields }) {
  return !madeJob && !isTaken && (files.length > 0 || hasLines({ fields }));
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

export function hasLines({ fields }) {
  return Boolean(Object.fromEntries(fields).items?.trim());
}

/** Keeps a text where there is room for it. Otherwise nothing is kept in that place. */
export function put(storage, place, text) {
  try {
    if (text !== null) {
      storage.setItem(place, text);
      return;
    }
  } catch {
    // There is no room: the file has to be chosen again.
  }
  storage.removeItem(place);
}

/** Warns of another tab's list, where this form has one. @param {string} id of this form's draft, if it is kept */
export function warnOfOther(id) {
  const last = left();
  if (!last || last.id === id || id === '' || !hasList()) warning.remove();
  else if (!warning.isConnected) form.before(warning);
}

/**
 * Offers the tab's own list, or the one that was left. True where there is one. One of long ago is deleted.
 * @param {string} id of the draft of the form on this page, which is none to offer
 * @param {() => boolean} hasOther the form on this page has something of its own
 * @param {() => void} drop ends the keeping of that form
 * @param {{ name: string, take: () => void }} [job] that is made again once its person says so
 */
export function offerUnfinished(id, hasOther, drop, job) {
  const own = keptIn(key);
  const isOwn = own !== null && own.id !== id && isUnmade(own);
  const [draft, storage] = isOwn ? [own, sessionStorage] : [left(), localStorage];
  if (!draft || draft.id === id) return false;
  if (draft.at < Date.now() - KEPT_MS) {
    forget(draft.id);
    return false;
  }
  // A list that is begun on this page takes its place.
  const texts = [key, ...FILES].map((place) => [place, storage.getItem(place)]);
  form.before(offer);
  void import('./studio-offer.js').then(({ fillOffer }) =>
    fillOffer(offer, { draft, isOwn, texts, hasOther, drop, job }),
  );
  return true;
}
