/** The fields of a code, in the words of its kind. */

import { type Kind, KINDS } from '../../contract/kinds.js';
import { readData } from '../../engine/in-process.js';
import { kindWords } from './kind-words.js';

/** A field of a code with its label. */
export interface SaidField {
  label: string;
  value: string;
}

/** Characters of a value that are shown. */
const MOST_CHARACTERS = 200;

/** The fields of a code that have a value, in the order of its kind; for a link or a text, the whole. */
export function saidBy(data: string): SaidField[] {
  const read = readData(data);
  const words = kindWords(read?.kind);
  if (read === null || words === undefined) return [{ label: 'Link or text', value: shortened(data) }];
  const fields = KINDS[read.kind as Kind].map((field, place) => {
    return { label: words.fields[field] ?? field, value: shortened(read.values[place] ?? '') };
  });
  return fields.filter(({ value }) => value !== '');
}

export function shortened(text: string): string {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
}
