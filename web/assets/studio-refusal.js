/** A form that was sent by the script, and refused. */

import { all, element } from './elements.js';
import { form, inputOf, note, placeOf } from './studio-form.js';

/**
 * Shows what the page that answers says above this one's form, in which file and logo are still chosen.
 * @param {Document} page
 */
export function showRefusal(page) {
  const [alert] = all(page, '[role=alert]', HTMLElement);
  showAlert(alert ? document.importNode(alert, true) : alertOf(...reasonOf(page)));
  const [shortage] = all(page, '[data-shortage]', HTMLElement);
  if (shortage) placeOf('[data-shortage]').hidden = shortage.hidden;
  const [submission] = all(page, '[name=submission]', HTMLInputElement);
  if (submission) inputOf('submission').value = submission.value;
}

/** Shows an alert above the form in place of the one before, and brings it into sight. */
export function showAlert(alert) {
  hideAlert();
  const box = element('div', alert);
  box.dataset.refusal = '';
  form.before(box);
  alert.focus();
}

/** Hides the alert above the form, or only one that says that nothing answered. */
export function hideAlert(isAnswered = false) {
  const selector = isAnswered ? '[data-refusal]:has([data-away])' : '[data-refusal]';
  for (const alert of all(document, selector, HTMLElement)) alert.remove();
}

/** @param {string[]} texts a paragraph each */
export function alertOf(...texts) {
  const alert = note('bad', ...texts);
  alert.setAttribute('role', 'alert');
  alert.tabIndex = -1;
  return alert;
}

/** The sentences of an error page: the event, and the remedy. @param {Document} page */
export function reasonOf(page) {
  const said = ['h1', 'h1 + p']
    .map((part) => page.querySelector(part)?.textContent ?? '')
    .filter((text) => text !== '');
  return said.length > 0 ? said : ['The service did not answer. Try again.'];
}

export function pageOf(html) {
  return new DOMParser().parseFromString(html, 'text/html');
}
