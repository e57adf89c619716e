/** `/account/o/…/studio/lines`: typed lines, changed as a warning about them advises. */

import type { RouterContext } from '@koa/router';
import { invalidInput } from '../../contract/errors.js';
import { LIMITS } from '../../contract/limits.js';
import type { ChangeOfLines } from '../../engine/engine.js';
import { shortened } from '../shell/code-words.js';
import { formOf } from '../shell/form.js';
import { type Formats, pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { personOf } from '../shell/page-state.js';

/** Presses below a warning about lines: parts of the warnings that advise them, and labels with their changes. */
export const PRESSES: readonly (readonly [readonly string[], readonly (readonly [string, ChangeOfLines])[]])[] = [
  [['Write https:// in front'], [['Write https:// in front', 'https']]],
  [['Write mailto: in front'], [['Write mailto: in front', 'mailto']]],
  [['Write tel: in front'], [['Write tel: in front', 'tel']]],
  [['Write geo: in front'], [['Write geo: in front', 'geo']]],
  [['Write https://w3w.co/ '], [['Write https://w3w.co/', 'words']]],
  [['Write tel: before '], [['Write tel: before numbers', 'calls']]],
  [['write %20 '], [['Write %20', 'spaces']]],
  [['the address begins with '], [['Write the beginnings right', 'schemes']]],
  [[' stands before the '], [['Leave the marks out', 'marks']]],
  [[' Join these lines.'], [['Join these lines', 'join']]],
  [[', which nobody sees'], [['Remove what nobody sees', 'invisible']]],
  [['all that is needed to join a Wi-Fi'], [['Write them as Wi-Fi codes', 'networks']]],
  // The answer is the code of a country.
  [[' in place of the first 0'], [['Country of these numbers', 'country']]],
  [
    [' that stands alone', ' what stands alone', ' alone opens a mail', ' code opens one alone'],
    [
      ['Keep only addresses and numbers', 'addresses'],
      ['Keep only these, with their words as captions', 'captions'],
    ],
  ],
];

const CHANGES: readonly ChangeOfLines[] = PRESSES.flatMap(([, presses]) => presses.map(([, change]) => change));

/** Lines that are named. */
const MOST_NAMED = 5;

/** Returns the lines of the form, and a sentence about those that were left out, as JSON. @throws ApiError `invalid_input` */
export async function changeLines(ctx: RouterContext, { engine }: Needs<'engine'>): Promise<void> {
  const form = formOf(ctx);
  const change = CHANGES.find((each) => each === form.get('change'));
  if (change === undefined) {
    throw invalidInput({ path: '/change', code: 'invalid_value', message: 'There is no such change' });
  }
  // Forms are sent with the line ends of DOS.
  const lines = form.get('items').replaceAll('\r\n', '\n');
  const maxCaptionCharacters = LIMITS.captionCharacters;
  const keepsTexts = form.get('keep') !== '';
  const callingCode = form.get('code');
  const request = { lines, change, callingCode, maxCaptionCharacters, keepsTexts, holder: personOf(ctx).id };
  const changed = await engine.changeLines(request);
  ctx.body = { lines: changed.lines, said: leftOut(changed.leftOut, pageFormats(ctx)) };
}

function leftOut(lines: readonly string[], { number }: Formats): string {
  if (lines.length === 0) return '';
  const names = lines.slice(0, MOST_NAMED).map((line) => `“${shortened(line)}”`);
  const rest = lines.length - names.length;
  const are =
    lines.length === 1 ? '1 line without an address is' : `${number(lines.length)} lines without an address are`;
  return `${are} left out: ${names.join(', ')}${rest > 0 ? ` and ${number(rest)} more` : ''}.`;
}
