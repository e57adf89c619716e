/** Sentences about the faults of a form of labels, in the words of the form. */

import type { ApiError, Issue } from '../../contract/errors.js';
import { LabelMisfit, type Misfit } from '../../contract/label-fit.js';
import type { Form } from '../shell/form.js';
import type { ItemNames } from '../shell/item-names.js';

/** The fields by the names of their parameters. */
export const FIELDS: Readonly<Record<string, string>> = {
  sheet: 'Labels',
  first: 'Start at label',
  printRows: 'Codes to print',
  size: 'Code size',
  caption: 'Text',
  captionSize: 'Size of the text',
  labelWidth: 'Label width',
  labelHeight: 'Label height',
  pageWidth: 'Page width',
  pageHeight: 'Page height',
  columns: 'Labels across',
  rows: 'Labels down',
  left: 'Left margin',
  top: 'Top margin',
  gapX: 'Gap across',
  gapY: 'Gap down',
  shiftX: 'Move right',
  shiftY: 'Move down',
};

/** Fields that count, in a sentence. */
const COUNTS: Readonly<Record<string, string>> = {
  columns: 'how many labels stand side by side',
  rows: 'how many labels stand below one another',
};

/** Facts about the codes and their sheet that a sentence tells. */
interface Known {
  names: ItemNames;
  /** Labels of the sheet, where they are known. */
  labels: number | undefined;
  /** Codes that are to be printed, where they are known. */
  codes: number | undefined;
  /** Fields that the person has not seen: that they are empty is no fault. */
  unseen: readonly string[];
}

/** Records the issues of a refusal at their fields. */
export function refuseFields(form: Form, error: ApiError, { names, labels, codes, unseen }: Known): void {
  const issues = (error.members['issues'] ?? []) as Issue[];
  for (const issue of issues) {
    const name = issue.path.slice(1);
    if (issue.code === 'required' && unseen.includes(name)) {
      continue;
    }
    const words =
      error instanceof LabelMisfit
        ? `${'item' in error.misfit ? countWords(error.items.count, codes, names) : ''}${misfitWords(error.misfit, issue, names)}`
        : wordsOf(issue, name, labels);
    form.refuse(name, words);
  }
}

function wordsOf({ code, message }: Issue, name: string, labels: number | undefined): string {
  if (code === 'required') {
    return `Type ${COUNTS[name] ?? `the ${(FIELDS[name] ?? name).toLowerCase()}`}.`;
  }
  if (name === 'sheet') {
    return 'Choose a sheet from the list.';
  }
  if (name === 'first' && labels !== undefined) {
    return labels === 1 ? 'This sheet has one label.' : `This sheet has labels 1 to ${labels}.`;
  }
  const sentence = message.startsWith('must ') ? `${FIELDS[name] ?? name} ${message}` : message;
  return `${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`;
}

/** How many codes are refused, where there are several. */
function countWords(count: number, codes: number | undefined, { formats: { number } }: ItemNames): string {
  if (count < 2 || codes === undefined) {
    return '';
  }
  return count === codes
    ? `None of the ${number(codes)} codes fits. `
    : `${number(count)} of ${number(codes)} codes do not fit. `;
}

function misfitWords(misfit: Misfit, issue: Issue, names: ItemNames): string {
  const name = issue.path.slice(1);
  const { number } = names.formats;
  switch (misfit.kind) {
    case 'cut': {
      const { back, forth } = name === 'shiftX' ? misfit.shiftX : misfit.shiftY;
      const isBack = issue.code === 'too_small';
      const most = Math.floor((isBack ? back : forth) * 10 + 1e-6) / 10;
      const [towards, opposite] = name === 'shiftX' ? ['to the left', 'to the right'] : ['up', 'down'];
      return `At most ${number(most)} mm ${isBack ? towards : opposite}, or codes are cut off at the edge of the paper.`;
    }
    case 'crowded': {
      const text = `The text of ${names.name(misfit.item)} finds no room`;
      const code = misfit.size === undefined ? '' : ` next to a code of ${number(misfit.size)} mm`;
      const advice = misfit.size === undefined ? '' : 'a smaller code, ';
      return `${text}${code} in ${number(misfit.points)} points. Choose ${advice}smaller letters or larger labels.`;
    }
    case 'pale':
      return 'The codes are too pale for paper. Make them again in other colours.';
    case 'large':
      // Cut off, so that the size that is advised fits.
      return `At most ${number(Math.floor(misfit.largest * 10 + 1e-6) / 10)} mm fits the label of ${names.name(misfit.item)}.`;
    default: {
      const least = number(Math.ceil(misfit.least * 10 - 1e-6) / 10);
      const code = names.title(misfit.item);
      if (misfit.takenByCaption) {
        const whole = Math.floor(misfit.room * 10 + 1e-6) / 10;
        const room = whole === 0 ? 'no room' : `only ${number(whole)} mm`;
        return `${code}: its code finds ${room} next to its text, and needs ${least} mm. Shorten the text, choose smaller letters, or a larger label.`;
      }
      return name === 'size'
        ? `${code} is too dense for this size: it needs ${least} mm.`
        : `${code} is too dense for this label: with its white border it needs ${number(Math.ceil(misfit.leastLabel * 10 - 1e-6) / 10)} mm. Choose a larger label or shorter links.`;
    }
  }
}
