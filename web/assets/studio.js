/** The studio, live: the first codes as the engine draws them, what to mind, the price. */

import { firstItems, itemCount } from './studio-file.js';

const PAUSE_MS = 150;

const form = document.querySelector('[data-studio]');
const { file, items, csrf } = form.elements;
const drop = form.querySelector('[data-drop]');
const number = new Intl.NumberFormat(form.dataset.locale);

let timer;
let asking;

for (const part of form.querySelectorAll('[data-preview]')) part.hidden = false;
form.addEventListener('input', refreshSoon);
file.addEventListener('change', () => void showPrice());
items.addEventListener('input', () => void showPrice());

for (const name of ['dragenter', 'dragover']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length === 0) return;
  file.files = event.dataTransfer.files;
  file.dispatchEvent(new Event('input', { bubbles: true }));
  file.dispatchEvent(new Event('change', { bubbles: true }));
});

form.addEventListener('submit', () => {
  const button = form.querySelector('button:not([type])');
  button.disabled = true;
  button.textContent = 'Sending…';
});
// Who comes back to the page may send it again.
addEventListener('pageshow', () => {
  const button = form.querySelector('button:not([type])');
  button.disabled = false;
  button.textContent = 'Make the codes';
});

void refresh();
void showPrice();

function refreshSoon() {
  for (const output of form.querySelectorAll('output[data-for]'))
    output.value = form.elements[output.dataset.for].value;
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
}

async function refresh() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
    const { items: lines, csrf: _, submission: __, ...style } = fields;
    const response = await fetch(form.dataset.studio, {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json', 'X-Form-Token': csrf.value },
      body: JSON.stringify({
        fields: { ...style, logo: await dataUrl(form.elements.logo?.files[0]) },
        items: await firstItems(file.files[0], lines, 4),
      }),
    });
    if (response.ok) show(await response.json());
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}

/** A picture as the API takes it; empty where there is none. */
async function dataUrl(picture) {
  if (!picture) return '';
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(picture);
  return read;
}

function show({ samples, warnings, problems, curl }) {
  const [first, ...others] = samples;
  const picture = form.querySelector('.picture');
  picture.hidden = !first;
  if (first) {
    const image = picture.querySelector('img');
    image.src = first.picture;
    image.alt = first.scans === false ? 'The first code, which does not scan' : 'The first code';
  }
  const list = form.querySelector('[data-samples]');
  list.hidden = others.length === 0;
  list.replaceChildren(
    ...others.map((sample, index) => {
      const entry = document.createElement('li');
      const image = new Image();
      image.src = sample.picture;
      image.alt = `Code ${index + 2}`;
      entry.append(image);
      return entry;
    }),
  );
  form
    .querySelector('[data-warnings]')
    .replaceChildren(
      ...problems.map((text) => note('bad', text)),
      ...warnings.map((text) => note('warn', text)),
      ...(problems.length + warnings.length === 0 && first?.scans ? [note('', 'It scans.')] : []),
    );
  document.getElementById('curl').textContent = curl;
}

function note(kind, text) {
  const paragraph = document.createElement('p');
  paragraph.className = `note ${kind}`;
  paragraph.textContent = text;
  return paragraph;
}

async function showPrice() {
  const count = await itemCount(file.files[0], items.value);
  const balance = Number(form.dataset.balance);
  const price = form.querySelector('[data-price]');
  if (count === 0) {
    price.textContent = `You have ${number.format(balance)} credits; a code costs one.`;
  } else {
    const enough = count <= balance ? 'you have' : 'you have only';
    const [codes, credits] = [count === 1 ? 'code' : 'codes', count === 1 ? 'credit' : 'credits'];
    price.textContent = `${number.format(count)} ${codes} cost ${number.format(count)} ${credits}; ${enough} ${number.format(balance)}.`;
  }
}
