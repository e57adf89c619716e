/** The front page, live: the sample codes follow what is typed. */

import { all, one } from './elements.js';

const PAUSE_MS = 250;

const form = document.querySelector('form[data-samples-of]');
let timer;
let asking;

if (form instanceof HTMLFormElement) {
  one(form, 'button', HTMLButtonElement).hidden = true;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(form), PAUSE_MS);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void ask(form);
  });
}

/** @param {HTMLFormElement} place */
async function ask(place) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const text = one(place, '[name=text]', HTMLInputElement).value;
  const problem = one(place, '[data-problem]', HTMLElement);
  try {
    const response = await fetch(`${place.dataset.samplesOf}?text=${encodeURIComponent(text)}`, { signal });
    const { samples, problem: reason = '' } = await response.json();
    problem.textContent = reason;
    const list = one(place, '[data-pictures]', HTMLElement);
    const pictures = all(list, 'img', HTMLImageElement);
    for (const [index, { name, picture }] of (samples ?? []).entries()) {
      const image = pictures[index] ?? added(list, `The code, ${name}`);
      image.src = picture;
    }
    // The engine draws one text of a visitor at a time.
    if (response.headers.has('Retry-After')) {
      timer = setTimeout(() => void ask(place), 1_000 * Number(response.headers.get('Retry-After')));
    }
  } catch {
    if (!signal.aborted) problem.textContent = 'The service did not answer. Try again.';
  }
}

/** A further picture of the list, which is empty where the page was opened with a text that makes no code. */
function added(list, alt) {
  const image = Object.assign(new Image(140, 140), { alt });
  const entry = document.createElement('li');
  entry.append(image);
  list.append(entry);
  return image;
}
