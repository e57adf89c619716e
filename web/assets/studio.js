/** The studio, live: the first codes as the engine draws them, what to mind, the price. */

import { all, one } from './elements.js';
import { clearChoices, note, showCheck } from './studio-table.js';

const PAUSE_MS = 150;

const form = one(document, '[data-studio]', HTMLFormElement);
const file = one(form, '[name=file]', HTMLInputElement);
const items = one(form, '[name=items]', HTMLTextAreaElement);
const csrf = one(form, '[name=csrf]', HTMLInputElement);
const drop = one(form, '[data-drop]', HTMLElement);
const number = new Intl.NumberFormat(form.dataset.locale);

const found = one(form, '[data-check-result]', HTMLElement);

/** Items whose pictures are shown. */
const SAMPLES = 4;

let timer;
let asking;
let checking;

/** What the chosen file makes; undefined where there is none, or while it is being read. */
let checked;

for (const part of all(form, '[data-preview]', HTMLElement)) part.hidden = false;
form.addEventListener('input', refreshSoon);
file.addEventListener('change', () => {
  clearChoices(form);
  void check();
});
items.addEventListener('input', showPrice);

for (const name of ['dragenter', 'dragover']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  const files = event.dataTransfer?.files;
  if (!files?.length) return;
  file.files = files;
  file.dispatchEvent(new Event('input', { bubbles: true }));
  file.dispatchEvent(new Event('change', { bubbles: true }));
});

// With a file or a logo the form is sent from here: after a refusal they are still chosen.
form.addEventListener('submit', (event) => {
  const hasFile = all(form, '[type=file]', HTMLInputElement).some(({ files }) => files?.length);
  if (hasFile) {
    event.preventDefault();
    void send();
  } else {
    setSending(true);
  }
});
// Who comes back to the page may send it again.
addEventListener('pageshow', () => setSending(false));

// A browser that goes back keeps the file.
void check();
void refresh();

function setSending(isSending) {
  const button = one(form, 'button:not([type])', HTMLButtonElement);
  button.disabled = isSending;
  button.textContent = isSending ? 'Sending…' : 'Make the codes';
}

async function send() {
  setSending(true);
  try {
    const response = await fetch(form.action, { method: 'POST', body: new FormData(form) });
    if (response.redirected) {
      location.assign(response.url);
      return;
    }
    showRefusal(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    found.replaceChildren(note('bad', 'The service did not answer. Try again.'));
    found.hidden = false;
  }
  setSending(false);
}

/** What the page that answers says, above this one's form. */
function showRefusal(page) {
  const alert =
    page.querySelector('[role=alert]') ?? note('bad', page.querySelector('h1')?.textContent ?? 'The job was not made.');
  for (const earlier of all(document, '[data-refusal]', HTMLElement)) earlier.remove();
  const box = document.createElement('div');
  box.dataset.refusal = '';
  box.append(document.importNode(alert, true));
  form.before(box);
  for (const focused of all(box, '[role=alert]', HTMLElement)) focused.focus();
  const submission = page.querySelector('[name=submission]');
  if (submission instanceof HTMLInputElement) one(form, '[name=submission]', HTMLInputElement).value = submission.value;
}

/** Lets the service read the file as a job would: the number of codes, the first rows, what is wrong. */
async function check() {
  checking?.abort();
  checked = undefined;
  if (!file.files?.length) {
    showCheck(found, { problems: [], notices: [], table: undefined }, () => undefined);
    showPrice();
    return;
  }
  checking = new AbortController();
  const { signal } = checking;
  one(form, '[data-price]', HTMLElement).textContent = 'Reading the file…';
  try {
    const response = await fetch(form.dataset.check ?? '', { method: 'POST', body: new FormData(form), signal });
    const answer = response.headers.get('content-type')?.includes('json') ? await response.json() : undefined;
    checked =
      response.ok && answer
        ? answer
        : { total: 0, problems: ['The file could not be read. Try again.'], notices: [], items: [] };
    showCheck(found, checked, choose);
    showPrice();
    void refresh();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

/** Reads the file again with other columns, or another sheet. */
function choose(choices) {
  for (const [name, value] of Object.entries(choices)) one(form, `[name=${name}]`, HTMLInputElement).value = value;
  void check();
}

/** The first items: those of the file, or else of the lines that were typed. */
function firstItems() {
  if (file.files?.length) return checked?.items ?? [];
  return typed()
    .slice(0, SAMPLES)
    .map((data) => ({ data }));
}

function typed() {
  return items.value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function refreshSoon() {
  for (const output of all(form, 'output[data-for]', HTMLOutputElement)) {
    output.value = one(form, `[name=${output.dataset.for}]`, HTMLInputElement).value;
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
}

async function refresh() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string'));
    const { items: _, csrf: __, submission: ___, ...style } = fields;
    const response = await fetch(form.dataset.studio ?? '', {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json', 'X-Form-Token': csrf.value },
      body: JSON.stringify({
        fields: { ...style, logo: await dataUrl(all(form, '[name=logo]', HTMLInputElement)[0]?.files?.[0]) },
        items: firstItems(),
      }),
    });
    if (response.ok) show(await response.json());
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}

/** A picture as the API takes it; empty where there is none. */
async function dataUrl(picture) {
  if (!picture) return '';
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
  });
  reader.readAsDataURL(picture);
  return read;
}

function show({ samples, warnings, problems, curl }) {
  const [first, ...others] = samples;
  const picture = one(form, '.picture', HTMLElement);
  picture.hidden = !first;
  if (first) {
    const image = one(picture, 'img', HTMLImageElement);
    image.src = first.picture;
    image.alt = first.scans === false ? 'The first code, which does not scan' : 'The first code';
  }
  const list = one(form, '[data-samples]', HTMLElement);
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
  one(form, '[data-warnings]', HTMLElement).replaceChildren(
    ...problems.map((text) => note('bad', text)),
    ...warnings.map((text) => note('warn', text)),
    ...(problems.length + warnings.length === 0 && first?.scans ? [note('', 'It scans.')] : []),
  );
  one(document, '#curl', HTMLElement).textContent = curl;
}

function showPrice() {
  const count = file.files?.length ? (checked?.total ?? 0) : typed().length;
  const balance = Number(form.dataset.balance);
  const price = one(form, '[data-price]', HTMLElement);
  if (count === 0) {
    price.textContent = `You have ${number.format(balance)} credits; a code costs one.`;
  } else {
    const enough = count <= balance ? 'you have' : 'you have only';
    const [codes, credits] = [count === 1 ? 'code' : 'codes', count === 1 ? 'credit' : 'credits'];
    price.textContent = `${number.format(count)} ${codes} cost ${number.format(count)} ${credits}; ${enough} ${number.format(balance)}.`;
  }
}
