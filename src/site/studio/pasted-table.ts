/** Rows of a table that were pasted into the field for lines. */

import { Form } from '../shell/form.js';
import { SENT_FILE_BYTES } from '../shell/uploads.js';
import type { ItemSource } from './item-source.js';
import { isSeen } from './unseen-notices.js';

/** The name of the file that they are read as, also where a script makes it. */
const FILE_NAME = 'Pasted rows.csv';

/** Lines of a long list that are looked at. */
const LINES = 300;

/** A cell in quotes, which may have several lines, or a character in HTML. */
const CLOSED = /(?<=^|[\t;,])"[^"]*(?:""[^"]*)*"|&[a-z]{2,4};/gm;

/** A link, or a code such as of a network: they have semicolons, too. But a name behind a link is a cell of its own. */
const ADDRESS =
  /^(?!\s*https?:(?:[^\s;,]+(?:[;,]\s+\p{L}[^;,/]*|;\p{Lu}[^;,=/&?.]*)|[^\s;,?]+,\p{Lu}[^;,=/&?.]*)$)\s*[a-zA-Z][\w+.-]*:[^\s;]/u;

/**
 * The character that separates the cells where lines are rows of a table: a tab, which nobody types and `web/assets/studio-lines.js`
 * finds, too, or perhaps a semicolon, a comma or a bar. Empty where they are none.
 */
export function separatorOf(text: string): string {
  const rows = text
    .split('\n', LINES)
    .join('\n')
    .replaceAll(CLOSED, 'x')
    .split('\n')
    .filter((row) => row.trim() !== '');
  const tabs = rows.map((row) => row.split('\t').length);
  const usual = tabs.toSorted((one, other) => one - other)[tabs.length >> 1];
  const even = rows.filter((_, index) => tabs[index] === usual);
  // Lists have tabs before or after each text.
  if (4 * even.length >= 3 * rows.length && even.some((row) => row.trim().includes('\t'))) return '\t';
  const isTable = (by: string) => {
    const [cells = 1, ...others] = rows.map((row) => (ADDRESS.test(row) ? 1 : row.split(by).length));
    // Texts have commas, too.
    const least = by === ',' && !text.includes('://') ? 3 : 2;
    return cells >= least && others.length > 0 && others.every((count) => count === cells);
  };
  // A cell of several lines.
  if (/^"[^"\n]*\n[^"]*"$/m.test(text)) return ';';
  return [';', ',', '|'].find(isTable) ?? '';
}

/** Lets rows whose cells are separated by tabs be a file, as small ones are that an earlier step received. */
export function sendPastedAsFile(fields: Record<string, string>): void {
  const { items = '' } = fields;
  // A script has done so, or shows what is made of the lines.
  if (isSeen(new Form(fields)) || Buffer.byteLength(items) > SENT_FILE_BYTES || separatorOf(items) !== '\t') return;
  fields['items'] = '';
  fields['sent-file-name'] = FILE_NAME;
  // Their texts may have other separators.
  fields['sent-file'] = Buffer.from(`sep=\t\n${items}`).toString('base64');
}

/** A sentence about lines that look like rows of a table; none about others. The studio's script reads the separator from it. */
export function tableDoubt(lines: string): string[] {
  const separator = separatorOf(lines);
  const by = separator === '\t' ? 'tabs' : `“${separator}”`;
  return separator === ''
    ? []
    : [
        `These lines look like rows of a table, with ${by} between their cells. Each becomes one code, as it stands, which is probably not meant.`,
      ];
}

/** The sentence about a list that is, or may be, a table, for pages without scripts. */
export function tableNotice(source: ItemSource): string[] {
  if ('lines' in source) {
    const wayOut = 'To use its columns, save the table as a CSV file, and choose that.';
    return tableDoubt(source.lines).map((doubt) => `${doubt} ${wayOut}`);
  }
  return source.name === FILE_NAME ? ['The rows that you pasted are read as a table.'] : [];
}
