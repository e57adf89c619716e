/** The list of jobs, live: filters that act at once, and rows that follow their jobs. */

import { all, one } from './elements.js';
import { prepare } from './prepare.js';

const PAUSE_MS = 250;
const LOOK_EVERY_MS = 2000;

const list = one(document, '[data-jobs]', HTMLElement);
const form = one(list, 'form', HTMLFormElement);

let timer;
let asking;
/** Filters on their way. Rows are not renewed meanwhile: that would give the answer up. */
let filtering = 0;

one(form, 'button', HTMLButtonElement).hidden = true;
form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(filter, PAUSE_MS);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void filter();
});
setInterval(follow, LOOK_EVERY_MS);

// One box for all boxes of the page, and no button where none is chosen.
list.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox') return;
  if ('chooseAll' in target.dataset) for (const box of boxes()) box.checked = target.checked;
  showChoice();
});
showChoice();

function boxes() {
  return all(list, 'input[name="job"]', HTMLInputElement);
}

function showChoice() {
  const chosen = boxes().filter((box) => box.checked).length;
  for (const box of all(list, '[data-choose-all]', HTMLInputElement)) {
    box.hidden = false;
    box.checked = chosen > 0 && chosen === boxes().length;
    box.indeterminate = chosen > 0 && !box.checked;
  }
  for (const bar of all(list, '.chosen', HTMLElement)) {
    bar.hidden = chosen === 0;
    one(bar, '[data-chosen]', HTMLElement).textContent = `${chosen} chosen`;
  }
}

/** Shows the jobs that match the form, at the address that a link to them has. */
async function filter() {
  clearTimeout(timer);
  const fields = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  );
  const url = `${form.action}${fields.length > 0 ? '?' : ''}${new URLSearchParams(fields)}`;
  filtering += 1;
  const page = await load(url);
  filtering -= 1;
  if (!page) return;
  history.replaceState(undefined, '', url);
  showResults(page);
}

function showResults(page) {
  const results = one(page, '[data-results]', HTMLElement);
  prepare(results);
  one(list, '[data-results]', HTMLElement).replaceWith(results);
  showChoice();
}

/** Renews the rows of jobs in progress, but for one that somebody is about to use. */
async function follow() {
  if (document.hidden || filtering > 0 || !list.querySelector('[data-active]')) return;
  const page = await load(location.href);
  if (!page) return;
  const rows = all(list, '[data-active]', HTMLElement);
  // A job may have left the list: that of jobs in progress has none that has ended.
  if (rows.some(({ id }) => !page.getElementById(id)) && !isUsed(one(list, '[data-results]', HTMLElement))) {
    showResults(page);
    return;
  }
  for (const row of rows) {
    const renewed = page.getElementById(row.id);
    if (renewed && !isUsed(row)) {
      prepare(renewed);
      row.replaceWith(renewed);
    }
  }
  showChoice();
}

/** @param {HTMLElement} part */
function isUsed(part) {
  return part.contains(document.activeElement) || part.querySelector('details[open], [name="job"]:checked') !== null;
}

/** The page at an address; nothing where a later one was asked for, or the service does not answer. */
async function load(url) {
  asking?.abort();
  asking = new AbortController();
  try {
    const response = await fetch(url, { signal: asking.signal });
    if (!response.ok || response.redirected) return undefined;
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}
