/** Rows of a table that were pasted into the field for lines. */

import { Form } from '../shell/form.js';
import { SENT_FILE_BYTES } from '../shell/uploads.js';
import type { ItemSource } from './item-source.js';
import { separatorOf, tableDoubt } from './rows-in-lines.js';
import { isSeen } from './unseen-notices.js';

/** The name of the file that they are read as, also where a script makes it. */
const FILE_NAME = 'Pasted rows.csv';

/** Lets rows be a file whose cells are separated by tabs, or have their names before them, as small ones are that an earlier step received. */
export function sendPastedAsFile(fields: Record<string, string>): void {
  const { items = '' } = fields;
  // A script has done so, or shows what is made of the lines.
  if (isSeen(new Form(fields)) || Buffer.byteLength(items) > SENT_FILE_BYTES) return;
  const separator = separatorOf(items);
  if (separator !== '\t' && separator !== ':') return;
  fields['items'] = '';
  fields['sent-file-name'] = FILE_NAME;
  // Their texts may have other separators.
  fields['sent-file'] = Buffer.from(`sep=${separator}\n${items}`).toString('base64');
}

/** The sentence about a list that is, or may be, a table, for pages without scripts. */
export function tableNotice(source: ItemSource): string[] {
  if ('lines' in source) {
    const wayOut = 'To use its columns, save the table as a CSV file, and choose that.';
    return tableDoubt(source.lines).map((doubt) => `${doubt} ${wayOut}`);
  }
  return source.name === FILE_NAME ? ['The rows that you pasted are read as a table.'] : [];
}
