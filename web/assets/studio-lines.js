/** The lines that were typed, and what is wrong with them. */

/** Lines that are named. */
const MOST_NAMED = 5;

/** The texts of the codes, without blank lines. @param {string} text */
export function textsOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Lines of a long list that are looked at. */
const LINES = 300;

/** A cell in quotes. */
const QUOTED = /(?<=^|[\t;,])"[^"]*(?:""[^"]*)*"/gm;

/** Lines are rows of a table for sure, as the service finds, too: tabs, which nobody types, separate their cells. @param {string} text */
export function areRows(text) {
  const rows = text
    .split('\n', LINES)
    .join('\n')
    .replaceAll(QUOTED, 'x')
    .split('\n')
    .filter((row) => row.trim() !== '');
  const tabs = rows.map((row) => row.split('\t').length);
  const usual = tabs.toSorted((one, other) => one - other)[tabs.length >> 1];
  const even = rows.filter((_, index) => tabs[index] === usual);
  // Lists have tabs before or after each text.
  return 4 * even.length >= 3 * rows.length && even.some((row) => row.trim().includes('\t'));
}

/** Words and addresses of links whose words do not say the address. @param {string} html */
export function linksIn(html) {
  return [...new DOMParser().parseFromString(html, 'text/html').links]
    .map(({ textContent, href }) => [textContent?.replaceAll(/\s+/g, ' ').trim() ?? '', href])
    .filter(([words = '', href = '']) => /^(http|mailto:|tel:)/.test(href) && !href.includes(words));
}

/** @param {string} text with the words of these links @param {string[][]} links */
export function withAddresses(text, links) {
  let [done, rest] = ['', text];
  for (const [words = '', href = ''] of links) {
    const at = rest.indexOf(words);
    if (at < 0) continue;
    done += rest.slice(0, at) + href;
    rest = rest.slice(at + words.length);
  }
  return done + rest;
}

/** A web address within other text. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"“”„«»]*[^\s<>"“”„«».,;:!?)\]'’\u200B-\u200D]/gi;

/** The text, with nothing but its address in each line that has one and more. @param {string} text */
export function addressesOf(text) {
  return text.replaceAll(/.+/g, (line) => {
    const found = /^https?:\S+$/i.test(line.trim()) ? null : line.match(ADDRESS);
    return found?.length === 1 ? (found[0] ?? '') : line;
  });
}

/**
 * A sentence for each line that is too long for any code; of many, for the first.
 * @param {string} text
 * @param {number} limit characters
 * @param {Intl.NumberFormat} number
 */
export function tooLong(text, limit, number) {
  const found = text.split('\n').flatMap((line, index) => {
    const length = [...line.trim()].length;
    return length > limit
      ? [
          `Line ${number.format(index + 1)} is too long: ${number.format(length)} characters; at most ${number.format(limit)} fit.`,
        ]
      : [];
  });
  const rest = found.length - MOST_NAMED;
  return rest > 0 ? [...found.slice(0, MOST_NAMED), `And ${number.format(rest)} more.`] : found;
}
