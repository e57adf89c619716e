/** Rows of a table that were pasted into the field for lines. */

import { Form } from '../shell/form.js';
import { SENT_FILE_BYTES } from '../shell/uploads.js';
import type { ItemSource } from './item-source.js';
import { isSeen } from './unseen-notices.js';

/** The name of the file that they are read as, also where a script makes it. */
const FILE_NAME = 'Pasted rows.csv';

/** Codes of networks and of people have semicolons, too. */
const CODES = /^\s*(?:wifi|mecard|bizcard|matmsg):/i;

/** A cell in quotes, which may have several lines. */
const QUOTED = /(?<=^|[\t;])"(?:[^"]|"")*"/gm;

/** The character that separates the cells, of which most rows have equally many: a tab, which nobody types, or perhaps a semicolon. */
function separatorOf(text: string): '\t' | ';' | undefined {
  const rows = text
    .replaceAll(QUOTED, '')
    .split('\n')
    .filter((row) => row.trim() !== '' && !CODES.test(row));
  return (['\t', ';'] as const).find((mark) => {
    const counts = rows.map((row) => row.split(mark).length - 1).toSorted((one, other) => one - other);
    const usual = counts[counts.length >> 1] ?? 0;
    const even = counts.filter((count) => count === usual).length;
    return usual > 0 && 4 * even >= 3 * counts.length && (mark === '\t' || even > 1);
  });
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

/** The sentence about a list that is, or may be, a table. */
export function tableNotice(source: ItemSource): string[] {
  if ('lines' in source) {
    const notice =
      'These lines look like rows of a table, and each of them becomes one code. To use its columns, save the table as a CSV file, and choose that.';
    return separatorOf(source.lines) === undefined ? [] : [notice];
  }
  return source.name === FILE_NAME ? ['The rows that you pasted are read as a table.'] : [];
}
