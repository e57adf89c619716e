/** What pages do beyond what they can do without a script: copying, questions before the irreversible, local times, live progress. */

// Who sent a form hears what is wrong with it first.
document.querySelector('[data-focus]')?.focus();

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
    } catch {
      // Plain HTTP on another host than this one: the browser gives no clipboard, so the text is at least selected.
      getSelection().selectAllChildren(source);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
}

for (const button of document.querySelectorAll('[data-confirm]')) {
  button.addEventListener('click', (event) => {
    if (!confirm(button.dataset.confirm)) event.preventDefault();
  });
}

// A form that is on its way is not sent again; who comes back to the page may.
addEventListener('submit', ({ defaultPrevented, submitter }) => {
  if (!defaultPrevented && submitter) submitter.disabled = true;
});
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button:disabled')) button.disabled = false;
});

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time[datetime]')) {
  time.textContent = times.format(new Date(time.dateTime));
}

const section = document.querySelector('[data-job]');
if (section) follow(section.dataset.job);

/** Shows a job's progress as it is told; by asking, where events do not come through. */
function follow(job) {
  const events = new EventSource(`${job}/events`);
  let heard = false;
  events.addEventListener('message', ({ data }) => {
    heard = true;
    if (show(JSON.parse(data))) events.close();
  });
  events.addEventListener('error', () => {
    // A line that broke is taken up again by the browser; one that was refused is not.
    if (heard && events.readyState !== EventSource.CLOSED) return;
    events.close();
    ask(job);
  });
}

async function ask(job) {
  try {
    const response = await fetch(`${job}/progress`, { redirect: 'manual' });
    // Signed out, or no member any more: the page itself says so.
    if (response.type === 'opaqueredirect' || response.status === 404) {
      location.reload();
      return;
    }
    if (response.ok && show(await response.json())) return;
  } catch {
    // The line is dead: the next look may find it alive.
  }
  setTimeout(() => ask(job), 2000);
}

/** Returns whether the job has ended, when the page is loaded anew with what that brings. */
function show({ status, done, total, summary, pace, ended }) {
  const state = section.querySelector('[data-status]');
  if (state.textContent !== status) section.querySelector('[data-announce]').textContent = `The job is ${status}.`;
  state.textContent = status;
  state.className = `state ${status}`;
  section.querySelector('[data-summary]').textContent = summary;
  section.querySelector('[data-pace]').textContent = pace;
  const bar = section.querySelector('progress');
  bar.max = total;
  bar.value = done;
  document.title = `${summary} · qrpress`;
  if (ended) location.reload();
  return ended;
}
