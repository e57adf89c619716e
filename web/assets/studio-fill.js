/** Fills in the studio's form. */

import { element } from './elements.js';
import { file, form, inputOf, items, placeOf, tellChoice } from './studio-form.js';

/** `without`: names of fields that stay as they are. */
export function fill(fields, without) {
  const { keptLogo, keptLogoName = '' } = Object.fromEntries(fields);
  if (keptLogo) showKeptLogo(keptLogo, keptLogoName);
  for (const [name, value] of fields) {
    if (without.has(name)) continue;
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = true;
    if (control instanceof HTMLSelectElement) select(control, value);
    else if (control instanceof RadioNodeList) control.value = value;
    else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.value = value;
  }
}

/** Chooses a value of a list, which may be a resolution or a version that the list has not. Another value changes nothing. */
export function select(list, value) {
  if (![...list.options].some((option) => option.value === value)) {
    if (!/^\d+$/.test(value)) return;
    const option = new Option(list.name === 'version' ? `Version ${value} for all` : `${value} dpi`, value);
    option.dataset.computed = '';
    list.add(option);
  }
  list.value = value;
}

/** The choice to keep the logo of a saved style or a job, where the page was opened with one. */
function showKeptLogo(source, name) {
  const box = Object.assign(element('input'), { type: 'checkbox', name: 'keptLogo', value: source });
  const choice = element('label', box, element('span', `Keep the logo of “${name}”`));
  choice.className = 'choice small';
  placeOf('[data-kept-logo]').replaceChildren(inputOf('keptLogoName'), choice);
}

/** Chooses a file as a person would, without the events. */
export function choose(input, chosen) {
  const files = new DataTransfer();
  files.items.add(chosen);
  input.files = files.files;
}

/** The name of the file that rows become. */
export const PASTED = 'Pasted rows.csv';

/** Reads lines as if the file of their table had been chosen. */
export function takeTable(separator, lines = items.value) {
  choose(file, new File([`sep=${separator}\n${lines}`], PASTED, { lastModified: 0 }));
  items.value = '';
  tellChoice(file);
}

/** The file as a data URL. @returns {Promise<any>} */
export function urlOf(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

/** The bytes of a data URL. @param {string} url */
export function bytesOf(url) {
  return Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0));
}
