/** Fields that a person fills in once for all codes: the account of payments, or the day of events. */

import { boxOf, element } from './elements.js';
import { inputOf } from './studio-form.js';
import { words } from './studio-words.js';

/** The fields of each kind stay in the page: a person may be typing in one. */
const shown = {};

/** The fields; `changed` is called when one was edited. They are in sight where no column holds the IBANs, or the days. */
export function once(kind, { columns }, changed) {
  shown[kind] ??= make(words.once[kind], changed);
  const { box, inputs } = shown[kind];
  for (const { name, input } of inputs) {
    const { value } = inputOf(name);
    if (input !== document.activeElement) input.value = value;
    box.open ||= value !== '';
  }
  box.open ||= columns.every(({ field }) => field !== 'iban');
  return box;
}

function make({ label, hint, fields }, changed) {
  const told = element('p', hint);
  told.className = 'hint';
  const inputs = fields.map(([name, text, type]) => {
    const input = element('input');
    Object.assign(input, { type, spellcheck: false });
    input.addEventListener('change', () => changed({ [name]: input.value.trim() }));
    return { name, input, field: boxOf('field', element('label', text, input)) };
  });
  const content = boxOf('stack', told, ...inputs.map(({ field }) => field));
  return { box: element('details', element('summary', label), content), inputs };
}
