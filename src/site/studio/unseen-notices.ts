/** The first code, the price and the notices of a list, which a page without scripts shows before codes are made: once, for this list in this style. */

import type { Style } from '../../contract/request-schema.js';
import { ItemNames } from '../shell/item-names.js';
import type { Form } from '../shell/form.js';
import type { Formats } from '../shell/formats.js';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { offeredKind } from './offered-kind.js';
import type { SkipChoice } from './spreadsheet-choices.js';
import { type CheckedItems, encodingNotice } from './studio-body.js';
import { isAsked, type Preview } from './preview.js';
import { actionsOf, warningsOf } from './studio-check.js';

/** Value of the field `seen` from a page with scripts, which shows price and notices by itself. */
const BY_SCRIPT = '1';

/** Characters of the key of one notice. */
const KEY_CHARACTERS = 16;

export function isSeen(form: Form): boolean {
  return form.get('seen') === BY_SCRIPT;
}

/** The pictures of the first codes, and what the first one says. */
type Drawn = Pick<Preview, 'samples' | 'says' | 'reading' | 'risks'>;

/** Nobody has seen the first code, the price, or the notices, of a list that can become a job. */
export class UnseenNotices extends Error {
  override readonly name = 'UnseenNotices';
  readonly notices: string[];
  /** Reasons to make other codes. */
  readonly risks: string[];
  /** Those are about scanning. */
  readonly isScanInDoubt: boolean;
  /** Value of the field `seen` that says that these were shown: a word for each. */
  readonly key: string;
  readonly report: ReadSpreadsheetReport | undefined;
  /** Number of codes. */
  readonly total: number;
  readonly printedWidthMm: CheckedItems['checked']['printedWidthMm'];
  /** The first codes. */
  readonly drawn: Drawn;
  /** The actions of phones on all codes. */
  readonly actions: string;

  constructor(
    { notices, drawn, misses, actions }: { notices: string[]; drawn: Drawn; misses: string[]; actions: string },
    key: string,
    { checked, report }: CheckedItems,
  ) {
    super('The first code, the price or the notices of the list were not shown yet.');
    this.notices = notices;
    this.risks = [...drawn.risks, ...misses];
    this.isScanInDoubt = drawn.risks.length > 0;
    this.drawn = drawn;
    this.actions = actions;
    this.key = key;
    this.report = report;
    this.total = checked.total;
    this.printedWidthMm = checked.printedWidthMm;
  }
}

/**
 * One code is made at once, where there is no notice. @throws UnseenNotices where the form does not say that this style, price and
 * notices were shown, or which encoding a file has that does not name it
 */
export function requireSeen(
  form: Form,
  formats: Formats,
  {
    skip,
    items,
    style,
    drawn,
    misses,
    ofLook,
  }: {
    skip: SkipChoice;
    items: CheckedItems;
    style: Style | undefined;
    drawn: Drawn;
    misses: string[];
    ofLook: string[];
  },
): void {
  const { checked, report } = items;
  const { risks } = drawn;
  // It names another encoding once one is chosen, which answers it.
  const doubt = report && encodingNotice(report);
  const names = new ItemNames(checked.sourcePlaces, formats);
  const others = [
    ...(report?.notices ?? []).filter((notice) => notice !== doubt),
    ...warningsOf(
      [
        ...checked.warnings.filter((warning) => risks.length === 0 || !isAsked(warning)),
        ...(checked.cutLogo ? [checked.cutLogo] : []),
      ],
      checked.total,
      names,
    ),
    ...ofLook,
    ...sheetNotice(report),
    ...[offeredKind(form, report)?.text ?? []].flat(),
  ];
  const told = [checked.total, style, ...risks, ...misses, ...others].map((each) =>
    skip.keyOf(each).slice(0, KEY_CHARACTERS),
  );
  // Choices that the page showed, such as the sheet, answer notices when they are sent with the form.
  const isTold = told.every((each) => form.get('seen').includes(each));
  const isAnswered = doubt === undefined || skip.choices.encoding !== undefined;
  const saysNothing = [...others, ...risks, ...misses].length === 0 && checked.total === 1;
  if (isAnswered && (saysNothing || isTold)) return;
  throw new UnseenNotices(
    {
      notices: [...(doubt === undefined ? [] : [doubt]), ...others],
      drawn,
      misses,
      actions: actionsOf(checked.actions, names),
    },
    told.join('_'),
    items,
  );
}

/** Which sheet was read, where another one has codes, too. */
function sheetNotice({ sheet, fittingSheets, notices }: Partial<ReadSpreadsheetReport> = {}): string[] {
  const isTold = notices?.some((notice) => notice.startsWith('Only the sheet ')) ?? true;
  return isTold || (fittingSheets?.length ?? 0) < 2 ? [] : [`These are the codes of the sheet ${sheet} alone.`];
}
