/** The studio's form while its person is signed out: kept in the tab, and filled in again afterwards. */

import { all, one } from './elements.js';

const SIGN_IN = '/account/sign-in';

/**
 * The answer to a request. Where the session is over, keeps the form and goes to the sign-in page, which leads back.
 * @param {HTMLFormElement} form
 * @param {Response} response
 */
export function signedIn(form, response) {
  if (!response.redirected || new URL(response.url).pathname !== SIGN_IN) return true;
  const fields = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !OWN.has(name));
  const file = one(form, '[name=file]', HTMLInputElement).files?.[0]?.name ?? '';
  const logo = one(form, '[name=logo]', HTMLInputElement).files?.[0]?.name ?? '';
  sessionStorage.setItem(location.pathname, JSON.stringify({ fields, file, logo }));
  location.assign(`${SIGN_IN}?next=${encodeURIComponent(location.pathname)}&done=session-over`);
  return false;
}

/** Fields that belong to one showing of the page. */
const OWN = new Set(['csrf', 'submission', 'columns', 'sheet', 'headless']);

/**
 * Fills in what was kept, and says which files have to be chosen again.
 * @param {HTMLFormElement} form
 * @returns {string} empty where nothing was kept
 */
export function takeUpDraft(form) {
  const kept = sessionStorage.getItem(location.pathname);
  if (kept === null) return '';
  sessionStorage.removeItem(location.pathname);
  const { fields, file, logo } = JSON.parse(kept);
  for (const box of all(form, '[data-look] [type=checkbox]', HTMLInputElement)) box.checked = false;
  for (const [name, value] of fields) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = true;
    else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.value = value;
    else if (control instanceof HTMLSelectElement) control.value = value;
  }
  const files = [file, logo].filter((name) => name !== '').map((name) => `“${name}”`);
  return `Your style and lines are here again.${files.length > 0 ? ` Choose ${files.join(' and ')} once more.` : ''}`;
}
