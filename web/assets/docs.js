/** The script of the docs: search, copying, one language for all samples. The docs work without it. */

import { all, one } from './elements.js';

const LANGUAGE = 'qrpress-docs-language';
const MOST_RESULTS = 12;
const LANGUAGES = '.samples input[name^="language-"]';

// On a phone the text comes first.
one(document, '.contents details', HTMLDetailsElement).open = !matchMedia('(max-width: 59.99rem)').matches;

for (const pre of all(document, 'pre', HTMLElement)) {
  const place = document.createElement('div');
  place.className = `code ${pre.className}`;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => copy(button, pre));
  pre.replaceWith(place);
  place.append(pre, button);
}

async function copy(button, source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // Plain HTTP on another host than this one: the browser gives no clipboard, so the text is at least selected.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}

choose(remembered());
for (const radio of all(document, LANGUAGES, HTMLInputElement)) {
  radio.addEventListener('change', () => {
    const before = radio.getBoundingClientRect().top;
    choose(radio.value);
    // Samples above may be longer now: the one that was clicked stays where it was.
    scrollBy({ top: radio.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem(LANGUAGE, radio.value);
    } catch {
      // Storage is switched off: the choice holds for this page.
    }
  });
}

function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

function choose(language) {
  for (const radio of all(document, LANGUAGES, HTMLInputElement)) {
    if (radio.value === language) radio.checked = true;
  }
}

showTab();
addEventListener('hashchange', showTab);

/** Chooses the tab with the heading that the address names. */
function showTab() {
  const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const tab = heading?.closest('.ways > section');
  if (!heading || !tab) return;
  const tabs = one(document, '.ways', HTMLElement);
  const at = all(tabs, ':scope > section', HTMLElement).findIndex((section) => section === tab);
  const radio = all(tabs, 'input', HTMLInputElement)[at];
  if (radio) radio.checked = true;
  heading.scrollIntoView();
}

const search = one(document, '.search', HTMLElement);
const field = one(search, 'input', HTMLInputElement);
const list = one(search, 'ul', HTMLElement);
const found = one(search, '[data-found]', HTMLElement);
let index;
search.hidden = false;

field.addEventListener('focus', () => void entries());
field.addEventListener('input', () => void show());
search.addEventListener('keydown', move);
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node && search.contains(relatedTarget))) list.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const isWriting = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  if (event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});

/** The pages and their words. Undefined where the service does not answer: the next letter asks again. */
async function entries() {
  index ??= fetch('/docs/search.json').then((response) => response.json());
  try {
    return await index;
  } catch {
    index = undefined;
    return undefined;
  }
}

async function show() {
  const known = await entries();
  const wanted = field.value.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const results = wanted.length === 0 ? [] : best(known ?? [], wanted);
  list.replaceChildren(...results.map(resultItem));
  if (wanted.length > 0 && results.length === 0) {
    const empty = document.createElement('li');
    empty.textContent = known
      ? `Nothing for “${field.value.trim()}”. Try “Excel”, “logo” or “labels”.`
      : 'The service did not answer. Try again.';
    list.append(empty);
  }
  list.hidden = wanted.length === 0;
  found.textContent = wanted.length === 0 ? '' : results.length === 0 ? 'Nothing found' : `${results.length} found`;
}

/** Entries that have every word; words in titles count more, and whole ones more than beginnings. */
function best(known, wanted) {
  return known
    .map((entry) => ({ entry, score: score(entry, wanted) }))
    .filter((rated) => rated.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, MOST_RESULTS)
    .map((rated) => rated.entry);
}

function score(entry, wanted) {
  let sum = 0;
  for (const word of wanted) {
    // Another form of the word counts a little: "idempotent" finds "Idempotency-Key".
    const points = scoreOf(entry, word) || scoreOf(entry, stem(word)) / 4;
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function scoreOf({ title, page, words }, word) {
  const whole = title.toLowerCase();
  // The name of an error is found by its words too.
  const titleWords = `${whole} ${whole.replaceAll('_', ' ')}`;
  const inText = ` ${words}`.includes(` ${word}`) ? 1 : words.includes(word) ? 0.5 : 0;
  const inTitle = whole === word ? 20 : ` ${titleWords}`.includes(` ${word}`) ? 8 : titleWords.includes(word) ? 4 : 0;
  const inPage = page.toLowerCase().includes(word) ? 2 : 0;
  return inText + inTitle + inPage;
}

/** The beginning of a word without its ending, of five letters at least. */
function stem(word) {
  return word.slice(0, Math.max(5, word.length - 3));
}

function resultItem({ href, title, page }) {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = title;
  if (page !== title) {
    const where = document.createElement('small');
    where.textContent = page;
    link.append(where);
  }
  link.addEventListener('click', () => {
    list.hidden = true;
  });
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Arrows go from the field through the results, Enter in the field opens the first, Escape closes them. */
function move(event) {
  const stops = [field, ...all(list, 'a', HTMLElement)];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    list.hidden = true;
    field.focus();
  } else if (event.key === 'Enter' && at === 0 && !list.hidden) {
    stops[1]?.click();
  } else if (step !== undefined && at !== -1 && !list.hidden) {
    event.preventDefault();
    stops[at + step]?.focus();
  }
}
