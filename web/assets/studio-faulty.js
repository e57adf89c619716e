/** The choices to leave out rows or lines that are faulty or no codes, and to mend check digits. */

import { one } from './elements.js';
import { placeOf } from './studio-form.js';

/**
 * Shows the choices that the service offers, below the problems: each is bound to the file. Without an offer a choice says no.
 * @param {HTMLElement} problems
 * @param {any} check
 */
export function offerToSkip(problems, check) {
  const place = placeOf('[data-offers]');
  // To move a box that has the focus would take it away.
  if (problems.nextElementSibling !== place) problems.after(place);
  place.hidden = true;
  for (const name of ['faulty', 'placeholders', 'checkDigits']) {
    const box = one(place, `[data-${name}]`, HTMLElement);
    const choice = one(box, 'input', HTMLInputElement);
    const offer = check?.[name];
    box.hidden = !offer;
    if (offer) place.hidden = false;
    choice.value = offer?.key ?? '';
    choice.checked = offer?.isChosen ?? false;
    if (offer) one(box, 'span', HTMLElement).textContent = offer.text;
  }
}
