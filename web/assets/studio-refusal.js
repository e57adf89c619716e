/** A form that was sent by the script, and refused. */

import { all, one } from './elements.js';
import { note } from './studio-table.js';

/**
 * Shows what the page that answers says above this one's form, in which file and logo are still chosen.
 * @param {HTMLFormElement} form
 * @param {Document} page
 */
export function showRefusal(form, page) {
  const alert =
    page.querySelector('[role=alert]') ??
    note('bad', page.querySelector('h1')?.textContent ?? 'The codes were not made.');
  for (const earlier of all(document, '[data-refusal]', HTMLElement)) earlier.remove();
  const box = document.createElement('div');
  box.dataset.refusal = '';
  box.append(document.importNode(alert, true));
  form.before(box);
  for (const focused of all(box, '[role=alert]', HTMLElement)) focused.focus();
  const shortage = page.querySelector('[data-shortage]');
  if (shortage instanceof HTMLElement) one(form, '[data-shortage]', HTMLElement).hidden = shortage.hidden;
  const submission = page.querySelector('[name=submission]');
  if (submission instanceof HTMLInputElement) one(form, '[name=submission]', HTMLInputElement).value = submission.value;
}
