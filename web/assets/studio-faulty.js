/** The choice to leave out faulty rows of a file, or faulty lines that were typed, and to make the other codes. */

import { one } from './elements.js';

/**
 * Shows the choice as the service offers it, below the problems: it is bound to the file, to how it is read and to the number of
 * rows. Without an offer it is hidden, and says no.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} problems
 * @param {{ text: string, key: string, isChosen: boolean } | undefined} offer
 */
export function offerToSkip(form, problems, offer) {
  const box = one(form, '[data-faulty]', HTMLElement);
  const choice = one(box, '[name=skip]', HTMLInputElement);
  box.hidden = offer === undefined;
  // To move a box that has the focus would take it away.
  if (problems.nextElementSibling !== box) problems.after(box);
  choice.value = offer?.key ?? '';
  choice.checked = offer?.isChosen ?? false;
  if (offer) one(box, 'span', HTMLElement).textContent = offer.text;
}
