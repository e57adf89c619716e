/** Quotes text for HTML and shells, and takes mail addresses out of it for logs. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Quotes text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text without the mail addresses in it. The log holds none. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"(),:;@]+@[^\s<>"(),:;@]+/g, '…');
}
