/** The actions of phones on the codes of a list, in a sentence. */

import type { CheckedBody } from '../../engine/engine.js';
import type { Formats } from '../shell/formats.js';

type Count = CheckedBody['actions'][number];

/** Of one code, and of more. */
const WORDS: Record<Count['action'], [string, string]> = {
  web_page: ['opens a web page', 'open a web page'],
  search: ['starts a search', 'start a search'],
  network: ['joins a Wi-Fi network', 'join a Wi-Fi network'],
  call: ['calls a number', 'call a number'],
  message: ['begins a text message', 'begin a text message'],
  mail: ['begins an email', 'begin an email'],
  contact: ['adds a contact', 'add a contact'],
  event: ['adds an event', 'add an event'],
  place: ['shows a place on a map', 'show a place on a map'],
  payment: ['fills in a payment in a banking app', 'fill in a payment in a banking app'],
  app: ['opens an app', 'open an app'],
  text: ['shows its text', 'show their text'],
};

/** Codes of one action that a sentence names. */
const MOST_NAMED = 3;

/**
 * Such as `On phones, 5 codes open a web page, and 2 show their text (row 3 and row 7).` Those that are the most are not named,
 * unless they are texts. Empty for a list without codes.
 */
export function phoneActions(
  counts: readonly Count[],
  { name, number }: { name: (item: number) => string; number: Formats['number'] },
): string {
  const [only] = counts;
  if (only === undefined) return '';
  if (counts.length === 1) {
    const [one, more] = WORDS[only.action];
    return only.items === 1 ? `On phones, the code ${one}.` : `On phones, all ${number(only.items)} codes ${more}.`;
  }
  const most = Math.max(...counts.map(({ items }) => items));
  const usual = counts.find(({ items }) => items === most);
  const parts = counts.map((count, place) => {
    const { action, items, listed } = count;
    const [one, more] = WORDS[action];
    const codes = place > 0 ? '' : items === 1 ? ' code' : ' codes';
    const what = `${number(items)}${codes} ${items === 1 ? one : more}`;
    return count === usual && action !== 'text'
      ? what
      : `${what} (${placesOf(items, listed.slice(0, MOST_NAMED).map(name))})`;
  });
  return `On phones, ${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}.`;
}

function placesOf(items: number, [first = '', ...others]: readonly string[]): string {
  if (items > MOST_NAMED) return `the first is ${first}`;
  const last = others.pop();
  return last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
}
