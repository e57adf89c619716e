/** The list of a job that is made again, read from the job as if its file had been chosen. */

import { one } from './elements.js';
import { markTaken } from './studio-draft.js';
import { choose } from './studio-fill.js';
import { file, form, hasFile, inputOf, items, jobOf, known, listOfJob, tellChoice, typed } from './studio-form.js';

/**
 * Chooses the job's items as an NDJSON file, or puts them into the field for lines where they were typed.
 * @param {HTMLElement} notice says which job, where its items are, and which of them were corrected
 */
export async function takeItems(notice) {
  const { again = '', name = '' } = notice.dataset;
  const response = await fetch(again).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const list = await response.blob();
  const lines = notice.dataset.lines === undefined ? undefined : linesOf(await list.text());
  // A file that was chosen in the meantime stays, and so do lines.
  if (hasFile() || typed().length > 0) return;
  const title = inputOf('name');
  const [chosen] = one(form, '[name=dpi]', HTMLSelectElement).selectedOptions;
  const isOrdered = inputOf('widthMm').value !== '';
  // One that is no printer's follows from a width, which comes back with it.
  known.hasWidth = !isOrdered && chosen?.dataset.computed !== undefined;
  const hasResolution = !isOrdered && !known.hasWidth && chosen?.value !== '';
  const { value } = title;
  if (lines === undefined) {
    choose(file, listOfJob(list, name));
    file.dispatchEvent(new Event('change', { bubbles: true }));
  } else {
    items.value = lines;
    items.defaultValue = items.value;
    tellChoice(items);
  }
  title.value = value;
  markTaken();
  tellTaken(notice, hasResolution ? ['To hold a width in print for another list, type it again.'] : []);
}

/** Says what is here again after a reload. @param {HTMLElement} notice */
export function tellHere(notice) {
  const { name, lines } = notice.dataset;
  const [list] = file.files ?? [];
  const hasLines = lines !== undefined && inputOf('madeFrom').value !== '';
  if (list ? jobOf(list) === name : hasLines) tellTaken(notice);
  else notice.textContent = `The style of “${name}” is here.`;
}

/** @param {HTMLElement} notice @param {string[]} [more] sentences */
function tellTaken(notice, more = []) {
  const { name, corrected, lines } = notice.dataset;
  notice.textContent = [
    `The codes and the style of “${name}” are here.`,
    ...(corrected ? [corrected] : []),
    'Change what you like, then make them.',
    ...(lines === undefined ? ['The columns of its file are not: to use others, choose that file.'] : []),
    ...more,
  ].join(' ');
}

/** The texts of an NDJSON list, one on each line. */
function linesOf(list) {
  const lines = list.trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : JSON.parse(line).data)).join('\n');
}
