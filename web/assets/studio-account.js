/** The account that all payments go to: a person types it once, where the list has none. */

import { boxOf, element } from './elements.js';
import { inputOf } from './studio-form.js';
import { words } from './studio-words.js';

/** The fields stay in the page: a person may be typing in one. */
let shown;

/**
 * The fields; `changed` is called when one was edited. They are in sight where no column holds the IBANs.
 * @param {{ columns: { field?: string }[] }} table
 * @param {(choices: Record<string, string>) => void} changed
 */
export function account({ columns }, changed) {
  shown ??= make(changed);
  const { box, inputs } = shown;
  for (const { name, input } of inputs) {
    const { value } = inputOf(name);
    if (input !== document.activeElement) input.value = value;
    box.open ||= value !== '';
  }
  box.open ||= columns.every(({ field }) => field !== 'iban');
  return box;
}

function make(changed) {
  const hint = element('p', words.accountHint);
  hint.className = 'hint';
  const inputs = words.account.map(([name, text]) => {
    const input = element('input');
    input.spellcheck = false;
    input.addEventListener('change', () => changed({ [name]: input.value.trim() }));
    return { name, input, field: boxOf('field', element('label', text, input)) };
  });
  const content = boxOf('stack', hint, ...inputs.map(({ field }) => field));
  return { box: element('details', element('summary', words.labels.account), content), inputs };
}
