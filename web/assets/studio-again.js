/** The list of a job that is made again: the studio reads it from the job, as if its file had been chosen. */

import { one } from './elements.js';
import { choose } from './studio-fill.js';
import { known } from './studio-form.js';

/**
 * Chooses the job's items as an NDJSON file.
 * @param {HTMLInputElement} file
 * @param {HTMLElement} notice says which job, where its items are, and which of them were corrected
 */
export async function takeItems(file, notice) {
  const { again = '', name = '', corrected } = notice.dataset;
  const response = await fetch(again).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const list = await response.blob();
  // A file that was chosen in the meantime stays.
  if (file.files?.length) return;
  const typed = one(document, '[data-studio] [name=name]', HTMLInputElement);
  const [chosen] = one(document, '[data-studio] [name=dpi]', HTMLSelectElement).selectedOptions;
  // One that is no printer's follows from a width, which comes back with it.
  known.hasWidth = chosen?.dataset.computed !== undefined;
  const hasResolution = !known.hasWidth && chosen?.value !== '';
  const { value } = typed;
  // No file of the person's own has changed since.
  choose(file, new File([list], `${name}.ndjson`, { lastModified: 0 }));
  file.dispatchEvent(new Event('change', { bubbles: true }));
  typed.value = value;
  notice.textContent = [
    `The codes and the style of “${name}” are here.`,
    ...(corrected ? [corrected] : []),
    'Change what you like, then make them.',
    'The columns of its file are not: to use others, choose that file.',
    ...(hasResolution ? ['To hold a width in print for another list, type it again.'] : []),
  ].join(' ');
}
