/** The studio, live. */

import { all, element, one } from './elements.js';
import { ask, times } from './prepare.js';
import { check, checkFile, showLines, takeLines } from './studio-check.js';
import { takeOverColours } from './studio-colours.js';
import {
  changedFile,
  changeOf,
  dropDraft,
  isMade,
  keepFile,
  keepForm,
  markSent,
  offerLeft,
  restoredFrom,
  signedIn,
  takeUpDraft,
  takeUpJob,
} from './studio-draft.js';
import { choose } from './studio-fill.js';
import {
  file,
  form,
  hasFile,
  hasList,
  inputOf,
  items,
  jobOf,
  known,
  logo,
  note,
  placeOf,
  plainButton,
  showKept,
  tellChoice,
} from './studio-form.js';
import { answered, lowerLevel, refresh, refreshSoon, showValues, takeUpPreview } from './studio-preview.js';
import { linksIn, textsOf } from './studio-lines.js';
import { hasNews, obstacle, setSending, told } from './studio-price.js';
import { alertOf, hideAlert, pageOf, showAlert, showRefusal } from './studio-refusal.js';
import { settled } from './studio-size.js';

/** The logo that codes have. It stays when a file that is no picture is chosen. @type {File | undefined} */
let lastLogo;
const drop = placeOf('[data-drop]');

for (const part of all(form, '[data-preview]', HTMLElement)) part.hidden = false;
// Without scripts nothing says where a slider stands.
for (const slider of all(form, '[data-slider]', HTMLInputElement)) slider.type = 'range';
logo.accept = 'image/png,image/jpeg,image/webp,image/svg+xml';
placeOf('[data-logo-hint]').textContent =
  'PNG, JPEG, WebP or SVG. It becomes pixels, in SVG files too: for print, type a width.';
takeUpPreview(check);
for (const input of [file, logo]) {
  const remove = plainButton('Remove', () => {
    input.value = '';
    tellChoice(input);
    input.focus();
  });
  remove.setAttribute('aria-label', `Remove the ${input.name}`);
  const asOf = Object.assign(element('span'), { id: `${input.name}-as-of`, className: 'hint' });
  placeOf(`[data-chosen=${input.name}]`).after(remove);
  remove.parentElement?.after(asOf);
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby')} ${asOf.id}`);
}
file.addEventListener('change', () => {
  lowerLevel();
  forgetName();
  forgetMissing('file');
  keepFile(file);
  showFiles();
  void checkFile().then(showFiles);
  for (const notice of all(document, '[data-again]', HTMLElement)) {
    const job = notice.dataset.name;
    if (jobOf(file.files?.[0]) !== job) notice.textContent = `The style of “${job}” is here.`;
  }
});
logo.addEventListener('change', () => {
  forgetMissing('logo');
  lowerLevel();
  known.converting = convert()
    .catch(() => {
      logo.value = '';
      placeOf('[data-logo-notice]').textContent = 'The service did not answer. Choose the logo again.';
    })
    .then(() => {
      const isRemoved = lastLogo !== undefined && !logo.files?.length;
      lastLogo = logo.files?.[0];
      if (showKept() && isRemoved && keptLogo() === '') {
        placeOf('[data-logo-notice]').textContent ||= 'The codes have no logo now.';
      }
      keepFile(logo);
      showFiles();
      showValues();
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
// Both say something of the form before.
form.addEventListener('input', () => {
  placeOf('[data-style-notice]').textContent = '';
  hideAlert(true);
});
// Warnings depend on the style. A large file is not sent again for a change that leaves codes their sizes.
form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.closest('[data-look]') === null) return;
  known.isOtherStyle = true;
  frameNoOther(false);
});
takeOverColours();
items.addEventListener('paste', ({ clipboardData }) => {
  const before = items.value === '' ? [] : known.links;
  known.links = [...before, ...linksIn(clipboardData?.getData('text/html') ?? '')];
});
items.addEventListener('input', ({ inputType }) => {
  // Whoever changes the lines means them, not the file that is missing, and not the list of a job.
  forgetMissing('file');
  if (items.value !== items.defaultValue) inputOf('madeFrom').value = '';
  takeLines();
  // The press that ends the typing need not wait for what is said of them.
  if (inputType === 'insertFromPaste' && !hasFile()) void check();
});
items.addEventListener('change', () => {
  const [before, first] = [items.defaultValue, items.value].map((text) => textsOf(text)[0]);
  if (before !== undefined && first !== before) forgetName();
  lowerLevel();
  if (!hasFile() && (!known.checkedLines || known.checkedLines.isUnread)) void check();
});
placeOf('[data-offers]').addEventListener('change', () => void check(true));

// A file may be dropped anywhere: beside its frame, the browser would leave the page to open it.
for (const name of /** @type {const} */ (['dragover', 'dragleave', 'drop'])) {
  addEventListener(name, (event) => {
    const { target, dataTransfer } = event;
    if (!dataTransfer?.types.includes('Files') || target === logo) return;
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name !== 'drop') return;
    if (dataTransfer.files.length > 1) {
      showAlert(alertOf('Drop one file at a time: one job has one list.'));
      return;
    }
    file.files = dataTransfer.files;
    tellChoice(file);
  });
}

const startOver = one(document, '[data-start-over]', HTMLButtonElement);
for (const type of ['input', 'change']) {
  form.addEventListener(type, () => {
    startOver.hidden = false;
  });
}
startOver.addEventListener('click', () =>
  ask('Start over? Your list and what you chose here are lost.', 'Start over', () => {
    dropDraft();
    location.assign(location.pathname);
  }),
);

/** What the page said when the button was pressed down: a check may have begun since. */
let pressed;
const makeButton = one(form, '[data-make]', HTMLButtonElement);
makeButton.addEventListener('pointerdown', () => {
  pressed = told();
});
// The form is sent from here: after a refusal, or when the session is over, its files are still chosen.
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
  // Enter clicks the first button, which does nothing: a job costs credits.
  if (submitter instanceof HTMLButtonElement && submitter.dataset.make !== undefined && obstacle() === '') {
    void send(pressed ?? told());
  }
  pressed = undefined;
});
// In the name of a style, Enter saves the style.
inputOf('styleName').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  one(form, '[data-save-style]', HTMLButtonElement).click();
});
// Whoever comes back may send the form again.
addEventListener('pageshow', ({ persisted }) => {
  setSending(false);
  if (!persisted) begin();
});
keepForm();

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-tiles] button') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  void import('./studio-styles.js').then(async ({ chooseStyle }) => {
    if (!(await chooseStyle(button))) return;
    // The logo of the style takes the place of one that is not here.
    if (logoProblem() !== '' && keptLogo() !== '') {
      forgetMissing('logo');
      placeOf('[data-logo-notice]').textContent = '';
    }
    known.isOtherStyle = true;
    refreshSoon();
  });
});

showValues();

function begin() {
  const draft = takeUpDraft();
  if (draft) {
    startOver.hidden = false;
    showDraft(draft);
    frameNoOther(true);
  } else {
    takeUpJob();
  }
  lastLogo = logo.files?.[0];
  showKept();
  const [again] = all(document, '[data-again]', HTMLElement);
  const isHere = hasList();
  if (again && draft && isHere) void import('./studio-again.js').then(({ tellHere }) => tellHere(again));
  const isNotHere = again && !isHere;
  const take = () => isNotHere && void import('./studio-again.js').then(({ takeItems }) => takeItems(again));
  const job = isNotHere && (!draft || draft.isBeside) ? { name: again.dataset.name ?? '', take } : undefined;
  const isOffered = (!draft || draft.isTaken || draft.isBeside) && offerLeft(job);
  if (!(job && isOffered)) take();
  if (draft?.hasLook) void import('./studio-offer.js').then(({ offerLook }) => offerLook());
  showFiles();
  showValues();
  showLines();
  void check();
  void refresh();
}

/** Frames no style whose colours the form has no longer, and no saved one that was changed. */
function frameNoOther(isDraft) {
  const [tile] = all(form, '[data-tiles] [aria-current]', HTMLElement);
  if (!tile) return;
  const { colours } = tile.dataset;
  const chosen = ['foreground', 'background'].map((name) => inputOf(name).value);
  const isTransparent = new FormData(form).has('transparent');
  const isSame = colours === undefined ? isDraft : colours === chosen.join(' ') && !isTransparent;
  if (!isSame) tile.removeAttribute('aria-current');
}

/** The name of a job is that of its list. */
function forgetName() {
  const name = inputOf('name');
  if (name.value === name.defaultValue) name.value = '';
}

/** The file of that name need not be chosen again. */
function forgetMissing(name) {
  known.missing = known.missing.filter((missing) => missing.name !== name);
}

/** Says what is here again, and what is not. */
function showDraft({ isReturn }) {
  const job = jobOf(file.files?.[0]);
  if (job !== undefined && !document.querySelector('[data-again]')) {
    const box = note(
      '',
      `The list is that of “${job}”, without the columns of its file: to use others, choose that file.`,
    );
    form.before(box);
    file.addEventListener('change', () => box.remove());
  }
  const changed = known.missing.filter((missing) => missing.isChanged).map((missing) => changeOf(missing.file));
  const names = known.missing.filter((missing) => !missing.isChanged).map((missing) => `“${missing.file}”`);
  const requests = [...changed, ...(names.length > 0 ? [`Choose ${names.join(' and ')} once more.`] : [])];
  if (isReturn && requests.length === 0) return;
  const here = hasList() ? 'Your list and style are' : 'Your style is';
  const box = note(
    requests.length > 0 ? 'warn' : '',
    [...(isReturn ? [] : [`${here} here again.`]), ...requests].join(' '),
  );
  form.before(box);
  for (const type of ['input', 'change']) {
    form.addEventListener(type, () => {
      if (known.missing.length === 0) box.remove();
    });
  }
}

/** Names the chosen files, and lets each be taken away. A job without a name is called as its file. */
function showFiles() {
  for (const input of [file, logo]) {
    const name = input.files?.[0]?.name;
    const place = placeOf(`[data-chosen=${input.name}]`);
    const job = jobOf(input.files?.[0]);
    place.textContent = job === undefined ? (name ?? '') : `The list of “${job}”`;
    const button = place.nextElementSibling;
    if (button instanceof HTMLElement) button.hidden = name === undefined;
    const at = restoredFrom(input);
    placeOf(`#${input.name}-as-of`).textContent =
      at > 0 ? `As it was on ${times.format(at)}. Choose it again if you changed it since.` : '';
  }
  inputOf('name').placeholder = (file.files?.[0]?.name ?? '').replace(/\.[a-z0-9]{1,6}$/i, '');
}

/** Makes a PNG of the chosen logo where it is none, and says so. */
async function convert() {
  const notice = placeOf('[data-logo-notice]');
  notice.textContent = '';
  const chosen = logo.files?.[0];
  if (!chosen) {
    known.logoShowsOn = undefined;
    return;
  }
  const { asPng } = await import('./studio-logo.js');
  const made = await asPng(chosen, Number(logo.dataset.bytes));
  if (logo.files?.[0] !== chosen) return;
  notice.textContent = made.notice;
  const before = lastLogo ? `The logo is still “${lastLogo.name}”.` : keptLogo() && `The codes have ${keptLogo()}.`;
  if (!made.file && before !== '') {
    notice.textContent = `“${chosen.name}” is not taken. ${made.notice} ${before}`;
    if (lastLogo) choose(logo, lastLogo);
    else logo.value = '';
    return;
  }
  known.logoShowsOn = made.showsOn;
  if (!made.file) {
    const reason = `is not taken. ${made.notice} The codes have no logo.`;
    // The draft names it.
    known.missing.push({ name: 'logo', file: chosen.name, reason });
    logo.value = '';
  } else if (made.file !== chosen) choose(logo, made.file);
}

/** Sends the form once all is checked, if the page then says no more than `before`. Asks first about codes of no use. */
async function send(before, isMeant = false) {
  known.news = '';
  setSending(true);
  try {
    await known.converting;
    await answered();
    let isToRead = obstacle() !== '' || hasNews(before);
    // A logo that was chosen since may be too large for codes that are not drawn.
    if (!isToRead && known.isOtherStyle && hasFile() && (logo.files?.length || keptLogo())) {
      await check(true);
      await answered();
      isToRead = obstacle() !== '';
    }
    if (isToRead) {
      setSending(false);
      // Browsers take the focus from a disabled button.
      makeButton.focus({ preventScroll: true });
      return;
    }
    const risks = [...known.risks, logoProblem(), known.widthMiss, ...known.doubts].filter(Boolean);
    if ((isMade() || risks.length > 0) && !isMeant) {
      setSending(false);
      const [title, action] = isMade()
        ? ['These codes are made already. Make and pay them again?', 'Make them again']
        : [questionOf(), 'Make them anyway'];
      ask(title, action, () => void send(told(), true), risks);
      return;
    }
    const fields = settled();
    if (hasFile()) fields.delete('items');
    // The page shows which sheet of a workbook is read.
    fields.set('seen', '1');
    hideAlert();
    const response = await fetch(form.action, { method: 'POST', body: fields });
    if (!(await signedIn(response))) return;
    if (response.redirected) {
      markSent(response.url);
      location.assign(response.url);
      return;
    }
    showRefusal(pageOf(await response.text()));
    // The logo of a style may be gone since the last preview.
    void refresh();
    // The answer says whether the other lines can be codes.
    if (!hasFile()) void check(true);
  } catch {
    const list = hasFile() ? 'file is' : 'lines are';
    const kept = logo.files?.length ? `${list.split(' ')[0]} and logo are` : list;
    const away = `The service did not answer. Your ${kept} still here. Try again.`;
    const changed = await changedFile();
    const alert = alertOf(changed ?? away);
    if (!changed) alert.dataset.away = '';
    showAlert(alert);
  }
  setSending(false);
}

function questionOf() {
  if (known.risks.length > 0) return 'Make codes that may not scan?';
  if (logoProblem() !== '') return 'Make codes without your logo?';
  return known.widthMiss === '' ? 'Make codes of data that is probably not meant?' : 'Make codes of another width?';
}

/** Why the codes have not the logo that was chosen, now or before the page was left. */
function logoProblem() {
  const missing = known.missing.find(({ name }) => name === 'logo');
  if (!missing) return '';
  return `“${missing.file}” ${missing.reason ?? `is not here: the codes have ${keptLogo() || 'no logo'}.`}`;
}

/** The logo of a saved style or a job, such as `the logo of “Boats”`. Empty where the form keeps none. */
function keptLogo() {
  const name = inputOf('keptLogoName').value;
  return new FormData(form).has('keptLogo') ? `the logo of “${name}”` : '';
}

async function save(action) {
  try {
    const { saveStyle } = await import('./studio-styles.js');
    await known.converting;
    await saveStyle(action);
  } catch {
    placeOf('[data-style-notice]').textContent = 'The service did not answer. Try again.';
  }
}
