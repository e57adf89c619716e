/** The values of a kind's fields, as the service's reader of spreadsheets takes them (`crates/kinds`). */

import { type Kind, type KindField, KINDS, type KindValues } from '../../contract/kinds.js';

/** A value that the kind's document forbids. */
export class KindError extends Error {
  override readonly name = 'KindError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.field = field;
  }
}

/** Values that were checked for what no field may have. */
export class Values<K extends Kind> {
  readonly #values: Partial<Record<string, string | undefined>>;

  /** @throws KindError for a required value that is empty, and for a control character */
  constructor(kind: K, values: KindValues<K>) {
    const { fields, required }: { fields: readonly string[]; required: readonly string[] } = KINDS[kind];
    this.#values = values;
    for (const field of fields) {
      const value = this.#values[field] ?? '';
      // A surrogate without its other half is no character.
      const [control] = /\p{Cs}|[^\P{Cc}\t\n\r]/u.exec(value) ?? [];
      if (control !== undefined) {
        const number = (control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
        throw new KindError(field, `the character U+${number} is no text.`);
      }
      if (required.includes(field) && trim(value) === '') {
        throw new KindError(field, 'the value is empty, but a code of this kind needs it.');
      }
    }
  }

  /** The value as it stands; empty where there is none. */
  text(field: KindField<K>): string {
    const value = this.#values[field] ?? '';
    return trim(value) === '' ? '' : value;
  }

  /** The value without spaces around it. */
  trimmed(field: KindField<K>): string {
    return trim(this.text(field));
  }

  /** The value of one line, without spaces around it. */
  line(field: KindField<K>): string {
    return oneLine(field, this.trimmed(field));
  }

  /** The value of one line, of at most so many characters. */
  limited(field: KindField<K>, most: number): string {
    const text = this.line(field);
    if ([...text].length > most) throw new KindError(field, `the value has more than ${most} characters.`);
    return text;
  }
}

export function oneLine(field: string, text: string): string {
  if (/[\t\n\r]/.test(text)) throw new KindError(field, 'the value must be one line, without tabs.');
  return text;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function trim(text: string): string {
  return text.replaceAll(/^[ \t\r\n\u{a0}]+|[ \t\r\n\u{a0}]+$/gu, '');
}

/** The text with every character percent-encoded that RFC 3986 does not call unreserved. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
