/** The script of the pages: copying, questions, local times, live progress. The pages work without it. */

import { all, one } from './elements.js';
import { ask, prepare } from './prepare.js';

/** Time from an answer about a job's progress to the next question; longer after none. */
const LOOK_EVERY_MS = 500;
const LATER_MS = 2000;

/** The first code is being asked for. */
let isAwaited = false;

// After a form was sent, a screen reader reads its problems first.
all(document, '[data-focus]', HTMLElement)[0]?.focus();

addEventListener('submit', (event) => {
  const { submitter, target } = event;
  if (event.defaultPrevented || !(target instanceof HTMLFormElement)) return;
  // A browser sends half a date as if the field were empty.
  const half = all(target, 'input', HTMLInputElement).find(({ validity }) => validity.badInput);
  if (half) {
    event.preventDefault();
    half.reportValidity();
    return;
  }
  // A form on its way is not sent again; who comes back may. Where the answer is a file, the browser stays.
  if (!(submitter instanceof HTMLButtonElement) || 'download' in submitter.dataset) return;
  // Later: the browser collects the form after this event, and leaves out what is disabled, even the button.
  setTimeout(() => {
    submitter.disabled = true;
  });
});
addEventListener('pageshow', () => {
  for (const button of all(document, 'button:disabled', HTMLButtonElement)) button.disabled = false;
});

prepare(document);

// The margins of printed pages take it from there: style sheets cannot read the title.
document.documentElement.style.setProperty('--title', JSON.stringify(document.title));

// A notice belongs to the form before it, and does not come back when the page is reloaded.
const address = new URL(location.href);
if (address.searchParams.has('done')) {
  // The browser keeps what the studio has, for as long as its person is signed in.
  if (/^(signed-out|account-deleted)/.test(address.searchParams.get('done') ?? '')) {
    sessionStorage.clear();
    // Other tabs hear of it.
    localStorage.setItem('/account/signed-out', '1');
    for (const key of Object.keys(localStorage)) if (key.startsWith('/account/')) localStorage.removeItem(key);
  }
  address.searchParams.delete('done');
  history.replaceState(history.state, '', address);
}

// The next person at this computer must not find what the studio has, so signing out discards it.
for (const form of all(document, 'form[action="/account/sign-out"]', HTMLFormElement)) {
  let isAnswered = false;
  form.addEventListener('submit', (event) => {
    const lost = isAnswered ? '' : unsent();
    if (lost === '') return;
    event.preventDefault();
    ask(`Sign out? ${lost}, and is lost.`, 'Sign out', () => {
      isAnswered = true;
      form.requestSubmit();
    });
  });
}

/** What the studio of an organisation has: a file or lines that became no job, or a look that is no style. Empty where there is neither. */
function unsent() {
  const drafts = [sessionStorage, localStorage]
    .flatMap((kept) => Object.keys(kept).map((key) => (/\/studio(?: look)?$/.test(key) ? JSON.parse(kept[key]) : {})))
    .filter(({ fields, madeJob, isTaken }) => fields && !madeJob && !isTaken);
  if (drafts.some(({ fields, files }) => files.length > 0 || Object.fromEntries(fields).items?.trim())) {
    return 'What you added in the studio is not made into codes yet';
  }
  return drafts.length > 0 ? 'What you chose in the studio is not saved as a style' : '';
}

// A menu closes when something else is clicked, or with Escape; the form that renames, with Escape alone.
addEventListener('click', ({ target }) => closeMenus(target));
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const open of all(document, '.menu[open], .rename[open]', HTMLDetailsElement)) {
    if (open.contains(document.activeElement)) open.querySelector('summary')?.focus();
    open.open = false;
  }
});

/** @param {EventTarget | null} [except] what lies in the menu that stays open */
function closeMenus(except) {
  for (const menu of all(document, '.menu[open]', HTMLDetailsElement)) {
    if (!(except instanceof Node && menu.contains(except))) menu.open = false;
  }
}

// On a phone the sections are wider than the window.
document.querySelector('.sections [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });

for (const section of all(document, '[data-job]', HTMLElement)) void follow(section, section.dataset.job);

/** Shows a job's progress, and asks again until the job has ended. */
async function follow(section, job) {
  let pause = LATER_MS;
  try {
    const response = await fetch(`${job}/progress`, { redirect: 'manual' });
    // Signed out, or no member any more: the page itself says so.
    if (response.type === 'opaqueredirect' || response.status === 404) {
      location.reload();
      return;
    }
    if (response.ok) {
      if (show(section, await response.json())) return;
      pause = LOOK_EVERY_MS;
    }
  } catch {
    // The line is dead: the next look may find it alive.
  }
  setTimeout(() => follow(section, job), pause);
}

/** Returns whether the job has ended, when the page is loaded anew with what that brings. */
function show(section, { state: kind, name, done, total, hasPicture, summary, pace, ended, cancelQuestion }) {
  const state = one(section, '[data-status]', HTMLElement);
  if (state.textContent !== name) {
    one(section, '[data-announce]', HTMLElement).textContent = `The job is ${name.toLowerCase()}.`;
  }
  state.textContent = name;
  state.className = `state ${kind}`;
  one(section, '[data-summary]', HTMLElement).textContent = summary;
  one(section, '[data-pace]', HTMLElement).textContent = pace;
  const bar = one(section, 'progress', HTMLProgressElement);
  bar.max = total;
  bar.value = done;
  document.title = `${summary} · ${document.title.split(' · ').at(-1)}`;
  if (ended) location.reload();
  else {
    // What a cancelled job costs grows while its page is open, and while the question is.
    const cancel = one(section, '[name=ask]', HTMLButtonElement);
    for (const question of all(document, '#question', HTMLElement)) {
      if (question.textContent === cancel.value) question.textContent = cancelQuestion;
    }
    if (cancel.value !== '') cancel.value = cancelQuestion;
    if (hasPicture) void showFirstCode();
  }
  return ended;
}

/** Shows the first code in the place that waits for it, as the page has it now. */
async function showFirstCode() {
  const place = document.querySelector('[data-awaited]');
  if (!place || isAwaited) return;
  isAwaited = true;
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    const code = page.querySelector('#look')?.closest('section:not([data-awaited])');
    if (code) place.replaceWith(code);
  } catch {
    // The next look at the job tries again.
  }
  isAwaited = false;
}
