/** The lines that were typed, and what is wrong with them. */

/** Lines that are named. */
const MOST_NAMED = 5;

/** The texts of the codes, without blank lines. */
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

/** Marks of lists before tabs. */
const BULLETS = /^[^\S\n]*(?:[-–—•·*▪§o\uF000-\uF0FF]|\(?(?:[a-z]|\d{1,3})[.)])\t+/gim;

/** Lines are rows of a table for sure, as the service finds, too: tabs separate their cells. */
export function areRows(text) {
  const all = text.split('\n', LINES).join('\n').replaceAll(QUOTED, 'x');
  const rows = all.split('\n').filter((row) => row.trim());
  const tabs = rows.map((row) => row.split('\t').length);
  const usual = tabs.toSorted((one, other) => one - other)[tabs.length >> 1];
  const even = rows.filter((_, index) => tabs[index] === usual);
  // Lists have tabs before or after each text, or behind its mark.
  const isList = !all.replace(BULLETS, '').includes('\t');
  return !isList && 4 * even.length >= 3 * rows.length && even.some((row) => row.trim().includes('\t'));
}

/** Links whose words do not say the address: others, or shortened. */
export function linksIn(html) {
  return [...new DOMParser().parseFromString(html, 'text/html').links]
    .map((link) => [link.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '', link.getAttribute('href') ?? ''])
    .filter(([words = '', address = '']) => {
      const isSaid = /^(?:https?:|www\.)\S+$/i.test(words) || address.toLowerCase().includes(words.toLowerCase());
      const isAddress = isSaid && /[.@]/.test(words) && !/(?:…|\.\.\.)$/.test(words);
      return words !== '' && !isAddress && /^(?:https?|mailto|tel):/i.test(address);
    });
}

/** The text, with the addresses of links in place of lines or cells that are their words, or have them. `isNamed`: behind these words. */
export function withAddresses(text, links, isNamed = false) {
  const before = text.split(/([\t\n])/);
  const parts = [...before];
  let from = 0;
  for (const [words = '', address = ''] of links.slice(0, LINES)) {
    const written = isNamed ? `${words} ${address}` : address;
    const find = (is) => before.findIndex((part, at) => at >= from && is(part));
    const whole = find((part) => part.trim() === words);
    const place = whole < 0 && words.length > 2 ? find((part) => part.includes(words)) : whole;
    if (place >= 0) {
      parts[place] = written;
      from = place + 1;
    } else if (before[from - 1]?.includes(words)) parts[from - 1] += `\n${written}`;
  }
  return parts.join('');
}

/** A sentence for each line that is too long for any code; of many, for the first. `limit`: in characters. */
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
