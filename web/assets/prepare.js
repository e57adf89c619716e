/** Parts of a page that need a script: copying, questions, local times. */

import { all, element, one } from './elements.js';

/** @type {Intl.DateTimeFormatOptions} As the service writes them, and in its locale, but for the time zone. */
const toTheMinute = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' };
const { locale } = document.documentElement.dataset;
/** Times without seconds. */
export const times = new Intl.DateTimeFormat(locale, toTheMinute);
const zonedTimes = new Intl.DateTimeFormat(locale, { ...toTheMinute, timeZoneName: 'short' });
const exactTimes = new Intl.DateTimeFormat(locale, { ...toTheMinute, second: '2-digit' });

/** @param {ParentNode} root */
export function prepare(root) {
  for (const button of all(root, '[data-copy], [data-copy-text]', HTMLElement)) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', () => copy(button, label));
  }
  for (const button of all(root, '[data-print]', HTMLElement)) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
  // Without scripts the service asks, on a page of its own.
  for (const button of all(root, 'button[name=ask]', HTMLButtonElement)) {
    button.addEventListener('click', (event) => {
      const question = button.value;
      if (question === '') return;
      event.preventDefault();
      ask(question, button.textContent ?? '', () => {
        button.value = '';
        button.form?.requestSubmit(button);
        button.value = question;
      });
    });
  }
  // Without scripts the picture is shown alone.
  for (const link of all(root, 'a[data-view]', HTMLAnchorElement)) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      view(link);
    });
  }
  for (const time of all(root, 'time[datetime]', HTMLTimeElement)) {
    const { seconds, zone } = time.dataset;
    const format = seconds !== undefined ? exactTimes : zone !== undefined ? zonedTimes : times;
    time.textContent = format.format(new Date(time.dateTime));
  }
}

/**
 * Asks a question in a dialog over the page. Escape and *Go back* close it.
 * @param {string} question
 * @param {string} action name of the button that does it
 * @param {() => void} act
 * @param {string[]} [reasons] why it is asked, a paragraph each
 */
export function ask(question, action, act, reasons = []) {
  const words = element('p', question);
  words.id = 'question';
  const [back, go] = [element('button', 'Go back'), element('button', action)];
  [back.className, back.autofocus] = ['plain', true];
  [go.className, go.value] = ['danger', 'go'];
  const row = Object.assign(element('form', back, go), { method: 'dialog', className: 'row' });
  const dialog = element('dialog', words, ...reasons.map((reason) => element('p', reason)), row);
  dialog.setAttribute('aria-labelledby', words.id);
  dialog.addEventListener('close', () => {
    if (dialog.returnValue === 'go') act();
  });
  open(dialog);
}

/** Shows a code of a list larger, with all that the list says of it in full. @param {HTMLAnchorElement} link */
function view(link) {
  const button = Object.assign(element('button', 'Close'), { className: 'plain', autofocus: true });
  const close = Object.assign(element('form', button), { method: 'dialog', className: 'row' });
  const dialog = element('dialog', ...(link.closest('li')?.cloneNode(true).childNodes ?? []), close);
  dialog.className = 'stack';
  dialog.setAttribute('aria-label', one(link, 'img', HTMLImageElement).alt);
  open(dialog);
}

/** @param {HTMLDialogElement} dialog over the page, until it is closed */
function open(dialog) {
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Copies the text that the button has, else that of the element that it names.
 * @param {HTMLElement} button
 * @param {string | null} label of the button, while nothing was copied
 */
async function copy(button, label) {
  const { copy: id, copyText } = button.dataset;
  const source = id === undefined ? undefined : one(document, `#${id}`, HTMLElement);
  try {
    await navigator.clipboard.writeText(copyText ?? source?.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    // Plain HTTP on another host: the browser gives no clipboard, so the text is selected, or shown.
    if (source) {
      getSelection()?.selectAllChildren(source);
      button.textContent = 'Selected';
    } else {
      prompt('Copy this link:', copyText);
    }
  }
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}
