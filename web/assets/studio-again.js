/** The list of a job that is made again: the studio reads it from the job, as if its file had been chosen. */

import { one } from './elements.js';
import { choose } from './studio-fill.js';
import { known } from './studio-form.js';

/**
 * Chooses the job's items as an NDJSON file. Each stands on the line that has the number of its row in the person's own list.
 * @param {HTMLInputElement} file
 * @param {HTMLElement} notice says which job, and where its items are
 */
export async function takeItems(file, notice) {
  const { again = '', name = '', runs = '[]' } = notice.dataset;
  const response = await fetch(again).catch(() => undefined);
  if (!response?.ok || response.redirected) return;
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  // A file that was chosen in the meantime stays.
  if (file.files?.length) return;
  const shared = one(document, '[data-studio] [name=caption]', HTMLInputElement).defaultValue;
  const rows = JSON.parse(runs).flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at));
  const parts = lines.map((line, index) => {
    const blank = rows.length > 0 ? rows[index] - (rows[index - 1] ?? 0) - 1 : 0;
    return `${'\n'.repeat(blank)}${itemOf(JSON.parse(line), shared)}\n`;
  });
  const typed = one(document, '[data-studio] [name=name]', HTMLInputElement);
  const [chosen] = one(document, '[data-studio] [name=dpi]', HTMLSelectElement).selectedOptions;
  // One that is no printer's follows from a width, which comes back with it.
  known.hasWidth = chosen?.dataset.computed !== undefined;
  const hasResolution = !known.hasWidth && chosen?.value !== '';
  const { value } = typed;
  // No file of the person's own has changed since.
  choose(file, new File(parts, `${name}.ndjson`, { lastModified: 0 }));
  file.dispatchEvent(new Event('change', { bubbles: true }));
  typed.value = value;
  notice.textContent = [
    `The codes and the style of “${name}” are here. Change what you like, then make them.`,
    'The columns of its file are not: to use others, choose that file.',
    ...(hasResolution ? ['To hold a width in print for another list, type it again.'] : []),
  ].join(' ');
}

/**
 * An item of the API from its line in a manifest, which has the caption that was drawn. One that all codes `shared` is the form's,
 * and an item without it had none. Pictures are named without the ending, which depends on the format.
 */
function itemOf({ data, caption = '', reference, files, filename }, shared) {
  const name = files?.[0]?.name.replace(/\.(png|svg)$/i, '') ?? filename;
  return JSON.stringify({ data, caption: caption === shared ? undefined : caption, reference, filename: name });
}
