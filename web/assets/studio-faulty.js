/** The choices to leave out faulty rows or lines, and rows with a placeholder. */

import { one } from './elements.js';

/**
 * Shows the choices as the service offers them, below the problems: each is bound to the file, and that of faulty rows to how it is
 * read and to their number. Without an offer a choice is hidden, and says no.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} problems
 * @param {any} check
 */
export function offerToSkip(form, problems, check) {
  const place = one(form, '[data-offers]', HTMLElement);
  // To move a box that has the focus would take it away.
  if (problems.nextElementSibling !== place) problems.after(place);
  place.hidden = true;
  for (const name of ['faulty', 'placeholders', 'checkDigits']) {
    const field = name === 'faulty' ? 'skip' : name;
    const box = one(place, `[data-${name}]`, HTMLElement);
    const choice = one(box, `[name=${field}]`, HTMLInputElement);
    const offer = check?.[name];
    box.hidden = !offer;
    if (offer) place.hidden = false;
    choice.value = offer?.key ?? '';
    choice.checked = offer?.isChosen ?? false;
    if (offer) one(box, 'span', HTMLElement).textContent = offer.text;
  }
}
