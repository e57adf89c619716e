/** The script of the pages: copying, questions before irreversible steps, local times, live progress. The pages work without it. */

import { all, one } from './elements.js';
import { prepare } from './prepare.js';

/** The service sends the first event at once. */
const FIRST_EVENT_WITHIN_MS = 3000;

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
  // A form that is on its way is not sent again; who comes back to the page may. Where the answer is a file, the browser stays.
  if (submitter instanceof HTMLButtonElement && !('download' in submitter.dataset)) submitter.disabled = true;
});
addEventListener('pageshow', () => {
  for (const button of all(document, 'button:disabled', HTMLButtonElement)) button.disabled = false;
});

prepare(document);

// A notice belongs to the form before it, and does not come back when the page is reloaded.
const address = new URL(location.href);
if (address.searchParams.has('done')) {
  address.searchParams.delete('done');
  history.replaceState(history.state, '', address);
}

// A menu closes when something else is clicked, or with Escape.
addEventListener('click', ({ target }) => closeMenus(target));
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const menu = document.querySelector('.menu[open]');
  const summary = menu?.querySelector('summary');
  if (menu?.contains(document.activeElement)) summary?.focus();
  closeMenus();
});

/** @param {EventTarget | null} [except] what lies in the menu that stays open */
function closeMenus(except) {
  for (const menu of all(document, '.menu[open]', HTMLDetailsElement)) {
    if (!(except instanceof Node && menu.contains(except))) menu.open = false;
  }
}

// On a phone the sections are wider than the window.
document.querySelector('.sections [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });

for (const section of all(document, '[data-job]', HTMLElement)) follow(section, section.dataset.job);

/** Shows a job's progress as it is told; by asking, where events do not come through. */
function follow(section, job) {
  const events = new EventSource(`${job}/events`);
  let heard = false;
  // A proxy that collects the answer before it passes it on lets nothing through until the job has ended.
  const patience = setTimeout(() => {
    events.close();
    void ask(section, job);
  }, FIRST_EVENT_WITHIN_MS);
  events.addEventListener('message', ({ data }) => {
    heard = true;
    clearTimeout(patience);
    if (show(section, JSON.parse(data))) events.close();
  });
  events.addEventListener('error', () => {
    // A line that broke is taken up again by the browser; one that was refused is not.
    if (heard && events.readyState !== EventSource.CLOSED) return;
    clearTimeout(patience);
    events.close();
    void ask(section, job);
  });
}

async function ask(section, job) {
  try {
    const response = await fetch(`${job}/progress`, { redirect: 'manual' });
    // Signed out, or no member any more: the page itself says so.
    if (response.type === 'opaqueredirect' || response.status === 404) {
      location.reload();
      return;
    }
    if (response.ok && show(section, await response.json())) return;
  } catch {
    // The line is dead: the next look may find it alive.
  }
  setTimeout(() => ask(section, job), 2000);
}

/** Returns whether the job has ended, when the page is loaded anew with what that brings. */
function show(section, { state: kind, name, done, total, summary, pace, ended }) {
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
  return ended;
}
