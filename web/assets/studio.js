/** The studio, live: what happens when its form is filled in and sent. */

import { all, one } from './elements.js';
import { check, checkFile, forgetLines, showLines } from './studio-check.js';
import { signedIn, takeUpDraft } from './studio-draft.js';
import { takeOverColours } from './studio-colours.js';
import { changedFile, file, form, items, known, logo, tellChoice } from './studio-form.js';
import { refresh, refreshSoon, showValues, takeUpPreview } from './studio-preview.js';
import { obstacle, setSending } from './studio-price.js';
import { alertOf, pageOf, showAlert, showRefusal } from './studio-refusal.js';
import { note } from './studio-table.js';

const drop = one(form, '[data-drop]', HTMLElement);

for (const part of all(form, '[data-preview]', HTMLElement)) part.hidden = false;
logo.accept = 'image/png,image/jpeg,image/webp,image/svg+xml';
one(form, '[data-logo-hint]', HTMLElement).textContent = 'PNG, JPEG, WebP or SVG.';
takeUpPreview(check);
file.addEventListener('change', () => {
  nameAfterFile();
  checkFile();
});
logo.addEventListener('change', () => {
  known.converting = convert().catch(() => {
    logo.value = '';
    one(form, '[data-logo-notice]', HTMLElement).textContent = 'The service did not answer. Choose the logo again.';
  });
});
for (const input of [file, logo]) {
  let before;
  input.addEventListener('click', () => {
    before = input.files?.[0];
  });
  // So do browsers tell of a file of the same name: it was corrected, and chosen again.
  input.addEventListener('cancel', () => {
    if (input.files?.[0] !== before) tellChoice(input);
  });
}
// Warnings about all codes depend on the style. A large file is not sent again for each change of it.
form.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLElement && target.closest('[data-look]') !== null) known.isOtherStyle = true;
});
takeOverColours(form);
items.addEventListener('input', forgetLines);
items.addEventListener('change', () => {
  if (!file.files?.length) void check();
});
one(form, '[name=skip]', HTMLInputElement).addEventListener('change', () => void check(true));

// A file may be dropped anywhere: beside its frame, the browser would leave the page to open it.
for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) {
  addEventListener(name, (event) => {
    const { target, dataTransfer } = event;
    if (!dataTransfer?.types.includes('Files') || target === logo) return;
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name !== 'drop') return;
    if (dataTransfer.files.length > 1) {
      showAlert(form, alertOf('Drop one file at a time: one job has one list.'));
      return;
    }
    file.files = dataTransfer.files;
    tellChoice(file);
  });
}

// The form is sent from here: after a refusal its files are still chosen, and when the session is over nothing is lost.
form.addEventListener('submit', (event) => {
  const { submitter } = event;
  // The answer is a file: the browser stays on the page.
  if (submitter instanceof HTMLButtonElement && submitter.dataset.download !== undefined) return;
  if (submitter instanceof HTMLButtonElement && submitter.dataset.saveStyle !== undefined) {
    event.preventDefault();
    void save(submitter.formAction);
    return;
  }
  event.preventDefault();
  // Enter sends a form whose button is off.
  if (obstacle() === '') void send();
});
// Enter in a field of the look would send the form, and a job costs credits.
form.addEventListener('keydown', (event) => {
  const { key, target, isComposing } = event;
  if (key !== 'Enter' || isComposing || !(target instanceof HTMLInputElement)) return;
  // There, Enter opens a dialog.
  if (['file', 'color'].includes(target.type)) return;
  const isName = target.name === 'styleName';
  if (!isName && target.closest('[data-look]') === null) return;
  event.preventDefault();
  if (isName) one(form, '[data-save-style]', HTMLButtonElement).click();
});
// A person who comes back to the page may send it again. Browsers fill it in after this script, before this event.
addEventListener('pageshow', ({ persisted }) => {
  setSending(false);
  if (!persisted) begin();
});
// But for these texts, which a browser must not suggest elsewhere.
const texts = ['name', 'caption'].map((name) => one(form, `[name=${name}]`, HTMLInputElement));
const { person } = form.dataset;
const keepTexts = () => history.replaceState({ person, texts: texts.map(({ value }) => value) }, '');
form.addEventListener('change', keepTexts);

if (form.querySelector('[data-style]')) {
  void import('./studio-styles.js').then(({ takeOverStyles }) =>
    takeOverStyles(form, () => {
      known.isOtherStyle = true;
      keepTexts();
      refreshSoon();
    }),
  );
}

const draft = takeUpDraft(form);
if (draft !== '') form.before(note('', draft));
showValues();
const again = document.querySelector('[data-again]');
// Few people need this script.
if (draft === '' && again instanceof HTMLElement) {
  void import('./studio-again.js').then(({ takeItems }) => takeItems(file, again));
}

function begin() {
  if (history.state?.person === person) {
    for (const [place, text] of history.state.texts.entries()) texts[place].value = text;
  }
  nameAfterFile();
  showValues();
  showLines();
  void check();
  void refresh();
}

/** A job without a name of its own is called what its file is called. */
function nameAfterFile() {
  one(form, '[name=name]', HTMLInputElement).placeholder = (file.files?.[0]?.name ?? '').replace(
    /\.[a-z0-9]{1,6}$/i,
    '',
  );
}

/** Makes a PNG of the chosen logo where it is none, and says so. */
async function convert() {
  const notice = one(form, '[data-logo-notice]', HTMLElement);
  notice.textContent = '';
  const chosen = logo.files?.[0];
  if (!chosen) return;
  const { asPng } = await import('./studio-logo.js');
  const made = await asPng(chosen, Number(logo.dataset.bytes));
  if (logo.files?.[0] !== chosen) return;
  notice.textContent = made.notice;
  const files = new DataTransfer();
  if (made.file) files.items.add(made.file);
  if (made.file !== chosen) logo.files = files.files;
}

async function send() {
  setSending(true);
  try {
    await known.converting;
    const fields = new FormData(form);
    // The page says that a file goes first.
    if (file.files?.length) fields.delete('items');
    const response = await fetch(form.action, { method: 'POST', body: fields });
    if (!(await signedIn(form, response))) return;
    if (response.redirected) {
      location.assign(response.url);
      return;
    }
    showRefusal(form, pageOf(await response.text()));
    // The answer says whether the other lines can be codes.
    if (!file.files?.length) void check(true);
  } catch {
    const away = 'The service did not answer. Your file and logo are still chosen. Try again.';
    showAlert(form, alertOf((await changedFile()) ?? away));
  }
  setSending(false);
}

/** Saves the style. */
async function save(action) {
  try {
    const { saveStyle } = await import('./studio-styles.js');
    await known.converting;
    await saveStyle(form, action);
  } catch {
    one(form, '[data-style-notice]', HTMLElement).textContent = 'The service did not answer. Try again.';
  }
}
