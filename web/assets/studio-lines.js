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
    .map((link) => [link.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '', link.getAttribute('href') ?? ''])
    .filter(([words = '', address = '']) => {
      const isSaid = /[.@]/.test(words) && address.toLowerCase().includes(words.toLowerCase());
      return (
        words !== '' && !isSaid && !/^(?:https?:|www\.)\S+$/i.test(words) && /^(?:https?|mailto|tel):/i.test(address)
      );
    });
}

/** The text, with the addresses of links where a line or cell is their words. @param {string} text @param {string[][]} links */
export function withAddresses(text, links) {
  const addresses = new Map();
  for (const [words, address] of links) {
    if (!addresses.has(words)) addresses.set(words, []);
    addresses.get(words).push(address);
  }
  return text.replaceAll(/[^\t\n]+/g, (cell) => addresses.get(cell.trim())?.shift() ?? cell);
}

/** Marks of lists before addresses and other codes. */
const MARKS =
  /(?<![^\n])[^\S\n]{0,9}(?:(?:o|\(?(?:[a-z]|\d{1,3})[.)]|[^\p{L}\d\s]{1,3})[^\S\n]{1,9}){1,2}(?=\S*[a-z]\d*[.:@]\S)/gimu;

/** @param {string} text */
export function withoutMarks(text) {
  return text.replace(MARKS, '');
}

/** Web addresses within other text. */
const WEB = /(?:https?:\/\/|www\.)(?:(?![,;|]https?:)[^\s<>"“”„«»])+/gi;

/** Mail addresses within other text. */
const MAIL = /[^\s<>"“”:;,()[\]]+@[^\s<>"“”:;,()[\]]+\.\p{L}{2,}/giu;

/**
 * The text, with nothing but addresses in lines that have some: each on a line of its own. Codes such as `tel:` stay.
 * @param {string} text
 * @param {boolean} isMail the addresses are those of mail, and open one
 */
export function addressesOf(text, isMail) {
  return text.replaceAll(/^.{1,3000}$/gm, (line) => {
    const found = line.match(isMail ? MAIL : WEB) ?? [];
    const isLink = /^\s*https?:/i.test(line);
    const isCode = /^\s*[a-z][\w+.-]*:\S/i.test(line) && (isMail || !isLink);
    if (found.length === 0 || isCode) return line;
    if (isMail) return found.map((address) => `mailto:${address}`).join('\n');
    const [one = ''] = found;
    const behind = line.slice(line.indexOf(one) + one.length);
    // Addresses with spaces within them.
    const goesOn = /[\p{L}\d]/u.test(behind) && (one.includes('?') || /[/=&?]|\.\p{L}{2,4}\s*$/u.test(behind));
    return found.length === 1 && (isLink || goesOn) ? line : found.map(alone).join('\n');
  });
}

/** The address without marks behind it, and without brackets that it does not open. @param {string} address */
function alone(address) {
  let bare = address.replace(/[.,;:!?'’\]\u200B-\u200D]+$/, '');
  while (bare.endsWith(')') && bare.split(')').length > bare.split('(').length) bare = bare.slice(0, -1);
  return bare;
}

/** Lines that are nothing but what a scheme opens. @type {Record<string, RegExp>} */
const OPENED = {
  'https://': /^[ \t]*www\.\S+[ \t]*$/gim,
  'mailto:': /^[ \t]*[^\s:;,<>@]+@[^\s:;,<>@]+[ \t]*$/gm,
  'tel:': /^[ \t]*(?:\+|\(?0)[\d ()/-]{6,20}$/gm,
};

/** The text, with the scheme before each line that it opens. @param {string} text @param {string} scheme */
export function withScheme(text, scheme) {
  const bare = (line) => (scheme === 'tel:' ? line.replace('(0)', '').replaceAll(/[^\d+]/g, '') : line.trim());
  return text.replaceAll(OPENED[scheme] ?? /(?!)/g, (line) => scheme + bare(line));
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
