/** The studio's form while its person is signed out: kept in the tab, and filled in again afterwards. */

import { all, one } from './elements.js';

const SIGN_IN = '/account/sign-in';

/** Bytes of a file that is kept. A browser keeps five million characters for a site, and base64 has four for three bytes. */
const KEPT_BYTES = 3_000_000;

/** Fields that belong to one showing of the page. */
const OWN = new Set(['csrf', 'submission']);

/** Fields that belong to the chosen file. */
const OF_FILE = new Set(['columns', 'sheet', 'headless', 'links', 'skip']);

const FILES = ['file', 'logo'];

/**
 * True unless the session is over. Then keeps the form, and goes to the sign-in page, which leads back.
 * @param {HTMLFormElement} form
 * @param {Response} response
 */
export async function signedIn(form, response) {
  if (!response.redirected || new URL(response.url).pathname !== SIGN_IN) return true;
  const fields = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !OWN.has(name));
  const { person } = form.dataset;
  const files = FILES.flatMap((name) => [...(chooser(form, name).files ?? [])].map((file) => ({ name, file })));
  const listed = await Promise.all(
    files.map(async ({ name, file }) => ({
      name,
      file: file.name,
      url: file.size > KEPT_BYTES ? '' : await urlOf(file),
    })),
  );
  try {
    sessionStorage.setItem(location.pathname, JSON.stringify({ person, fields, files: listed }));
  } catch {
    // There is no room for the files.
    const named = listed.map(({ name, file }) => ({ name, file, url: '' }));
    sessionStorage.setItem(location.pathname, JSON.stringify({ person, fields, files: named }));
  }
  location.assign(`${SIGN_IN}?next=${encodeURIComponent(location.pathname)}&done=session-over`);
  return false;
}

/**
 * Fills in what was kept, and names the files that have to be chosen again.
 * @param {HTMLFormElement} form
 * @returns {string} empty where nothing was kept
 */
export function takeUpDraft(form) {
  const kept = sessionStorage.getItem(location.pathname);
  if (kept === null) return '';
  sessionStorage.removeItem(location.pathname);
  const { person, fields, files } = JSON.parse(kept);
  // Somebody else has signed in.
  if (person !== form.dataset.person) return '';
  const missing = files.filter(({ url }) => url === '');
  for (const box of all(form, '[data-look] [type=checkbox]', HTMLInputElement)) box.checked = false;
  for (const [name, value] of fields) {
    if (OF_FILE.has(name) && missing.some((each) => each.name === 'file')) continue;
    const control = form.elements.namedItem(name);
    if (name === 'keptLogo' && control === null) one(form, '[data-kept-logo]', HTMLElement).append(keptLogo(value));
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = true;
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.value = value;
    else if (control instanceof HTMLSelectElement) control.value = value;
  }
  for (const { name, file, url } of files) {
    if (url !== '')
      choose(chooser(form, name), new File([bytesOf(url)], file, { type: url.slice(5, url.indexOf(';')) }));
  }
  const names = missing.map(({ file }) => `“${file}”`);
  return `Your list and style are here again.${names.length > 0 ? ` Choose ${names.join(' and ')} once more.` : ''}`;
}

/** The choice to keep the logo of a saved style or a job, which the page has only where it was opened with one. */
function keptLogo(source) {
  const choice = document.createElement('label');
  choice.className = 'choice small';
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', name: 'keptLogo', value: source });
  box.checked = true;
  choice.append(box, ' Use the saved style’s logo');
  return choice;
}

/**
 * Chooses a file as a person would, without the events.
 * @param {HTMLInputElement} input
 * @param {File} file
 */
export function choose(input, file) {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
}

/**
 * The file as a data URL.
 * @param {Blob} file
 * @returns {Promise<string>}
 */
export function urlOf(file) {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
  });
  reader.readAsDataURL(file);
  return read;
}

/** @param {string} url */
function bytesOf(url) {
  return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
}

function chooser(form, name) {
  return one(form, `[name=${name}]`, HTMLInputElement);
}
