/** The data of a code in the form that changes it: as the fields of its kind, or as it is. */

import { type Kind, KINDS } from '../../contract/kinds.js';
import { composeData, readData } from '../../engine/in-process.js';
import type { Form } from '../shell/form.js';
import { kindWords } from '../shell/kind-words.js';

/** Fields whose text may have several lines. */
const LONG: ReadonlySet<string> = new Set(['body', 'text', 'note', 'description']);

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  encryption: { WPA: 'WPA, WPA2 or WPA3', WEP: 'WEP', none: 'None' },
  hidden: { '': 'No', yes: 'Yes' },
};

/** Columns of lists whose values other fields of the form have. */
const PARTS: ReadonlySet<string> = new Set(['startTime', 'endTime', 'coordinates']);

/** The remedies of empty fields that are not simply to be filled in. */
const EMPTY: Readonly<Record<string, string>> = {
  password: 'Type the password, or choose no encryption.',
};

/** Values of the form for `data`: its kind and fields, where they give the same data again. */
export function valuesOf(data: string): Record<string, string> {
  const read = readData(data);
  if (read === null) {
    return { data };
  }
  const fields = KINDS[read.kind as Kind].map((field, place) => [nameOf(field), read.values[place] ?? '']);
  return { kind: read.kind, ...Object.fromEntries(fields) };
}

/** Fields of the form, beside those of every code. Empty for data as it is. */
export function fieldsOf(form: Form) {
  const fields = Object.entries(kindWords(form.get('kind'))?.fields ?? {}).filter(([field]) => !PARTS.has(field));
  return fields.map(([field, label]) => {
    return { name: nameOf(field), label, isLong: LONG.has(field), choices: CHOICES[field] };
  });
}

/** The data that the form describes. Undefined where something is wrong, which the form then says. */
export function dataOf(form: Form, lineEnd: string): string | undefined {
  const textOf = (name: string) => form.get(name).replaceAll('\r\n', lineEnd);
  const kind = form.get('kind');
  const words = kindWords(kind);
  if (words === undefined) {
    if (form.get('data').trim() === '') {
      form.refuse('data', 'Type a link or text.');
      return undefined;
    }
    return textOf('data');
  }
  const values = KINDS[kind as Kind].map((field) => textOf(nameOf(field)));
  const { data, field = '', message = '' } = composeData({ kind, values });
  if (data === undefined) {
    const isEmpty = form.get(nameOf(field)).trim() === '';
    const typed = message.charAt(0).toUpperCase() + message.slice(1);
    form.refuse(nameOf(field), isEmpty ? (EMPTY[field] ?? `Fill in “${words.fields[field] ?? field}”.`) : typed);
  }
  return data;
}

/** A field of a kind may be called like one of every code. */
function nameOf(field: string): string {
  return `kind-${field}`;
}
