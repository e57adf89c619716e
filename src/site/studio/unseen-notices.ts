/** The notices of a list that a page without scripts shows before codes are made: each once, for this list. */

import { ItemNames } from '../shell/item-names.js';
import type { Form } from '../shell/form.js';
import type { Formats } from '../shell/formats.js';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { kindWords } from '../shell/kind-words.js';
import type { SkipChoice } from './spreadsheet-choices.js';
import { type CheckedItems, encodingNotice } from './studio-body.js';
import { warningsOf } from './studio-check.js';

/** Value of the field `seen` from a page with scripts, which shows all notices by itself. */
const BY_SCRIPT = '1';

export function isSeen(form: Form): boolean {
  return form.get('seen') === BY_SCRIPT;
}

/** Nobody has seen the notices of a list that can become a job. */
export class UnseenNotices extends Error {
  override readonly name = 'UnseenNotices';
  readonly notices: string[];
  /** Value of the field `seen` that says that these were shown. */
  readonly key: string;
  readonly report: ReadSpreadsheetReport | undefined;

  constructor(notices: string[], key: string, report: ReadSpreadsheetReport | undefined) {
    super('The notices of the list were not shown yet.');
    this.notices = notices;
    this.key = key;
    this.report = report;
  }
}

/** @throws UnseenNotices where the form does not say that the notices were shown, or which encoding a file has that does not name it */
export function requireSeen(form: Form, formats: Formats, skip: SkipChoice, { checked, report }: CheckedItems): void {
  // It names another encoding once one is chosen, which answers it.
  const doubt = report && encodingNotice(report);
  const others = [
    ...(report?.notices ?? []).filter((notice) => notice !== doubt),
    ...warningsOf(checked, new ItemNames(checked.sourcePlaces, formats)),
    ...otherKind(report, form),
  ];
  const key = skip.keyOf(others);
  const isAnswered = doubt === undefined || skip.choices.encoding !== undefined;
  if (isAnswered && (others.length === 0 || form.get('seen') === key)) return;
  throw new UnseenNotices([...(doubt === undefined ? [] : [doubt]), ...others], key, report);
}

/** The kind that a sheet of links seems to be a list of. */
function otherKind(report: ReadSpreadsheetReport | undefined, form: Form): string[] {
  const words = form.get('kind') === '' ? kindWords(report?.proposedKind) : undefined;
  const links = report?.columns.find(({ role }) => role === 'data')?.name;
  return words === undefined
    ? []
    : [
        `This looks like ${words.list}, but the codes are the links of the column ${links}. To make ${words.codes}, choose them below.`,
      ];
}
