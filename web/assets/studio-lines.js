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

/**
 * The text, where each line that ends with a web address, and has no other, is that address alone. Codes such as `mailto:` stay.
 * @param {string} text
 */
export function addressesOf(text) {
  return text.replaceAll(/^.{1,3000}$/gm, (line) => {
    const [found = '', ...others] = line.match(/(?:https?:\/\/|www\.)[^\s<>"“”„«»]+/gi) ?? [];
    const behind = line.slice(line.indexOf(found) + found.length);
    if (found === '' || others.length > 0 || /^\s*[a-z][\w+.-]*:\S/i.test(line) || /[\p{L}\d]/u.test(behind))
      return line;
    let address = found.replace(/[.,;:!?'’\]\u200B-\u200D]+$/, '');
    while (address.endsWith(')') && address.split(')').length > address.split('(').length)
      address = address.slice(0, -1);
    return address;
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
