/** The drawn sheet of labels: a label that is chosen there is the first free one of the sheet and the sizes in the form. */

import { all, one } from './elements.js';

const form = one(document, '[data-labels]', HTMLFormElement);

for (const label of all(document, '.labels a', SVGAElement)) {
  label.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    one(form, '[name=first]', HTMLInputElement).value = label.dataset.number ?? '';
    form.requestSubmit();
  });
}
