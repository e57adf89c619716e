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

/** The text, with the addresses of links in place of lines or cells that are their words, or have them. */
export function withAddresses(text, links) {
  const before = text.split(/([\t\n])/);
  const parts = [...before];
  let from = 0;
  for (const [words = '', address = ''] of links.slice(0, LINES)) {
    const find = (is) => before.findIndex((part, at) => at >= from && is(part));
    const whole = find((part) => part.trim() === words);
    const place = whole < 0 && words.length > 2 ? find((part) => part.includes(words)) : whole;
    if (place >= 0) {
      parts[place] = address;
      from = place + 1;
    } else if (before[from - 1]?.includes(words)) parts[from - 1] += `\n${address}`;
  }
  return parts.join('');
}

/** Marks of lists before codes. */
const MARKS =
  /^[^\S\n]{0,9}(?:(?:o|\(?(?:[a-z]|\d{1,3})[.)]|[^\p{L}\d\s]{1,3})[^\S\n]{1,9}){1,2}(?=\S*[a-z]\d*[.:@]\S)/gimu;

export function withoutMarks(text) {
  return text.replace(MARKS, '');
}

/** Web addresses within other text. */
const WEB = /(?:https?:\/\/|www\.)(?:(?!\]\()[^\s<>"“”„«»‚‘‹›])+/gi;

/** Mail addresses within other text. */
const MAIL = /(?<![\w@/.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w@?-])/g;

/** The start of a line of a chat. */
const STAMP = /^\W?(?:\d+([./-])\d+\1\d+,? \d+(?::\d\d)+|\d+(?::\d\d)+, \d+[./-]\d+[./-]\d+)\b[^:]{1,40}:/;

/** The addresses of the text, one a line. Codes stay, and what may be one. */
export function addressesOf(text) {
  return text.replaceAll(/^.{1,3000}(?:\n|$)/gm, (line) => {
    const links = (line.match(WEB) ?? []).flatMap(eachOf);
    const mails = (line.replace(WEB, '').match(MAIL) ?? []).map((mail) => `mailto:${mail}`);
    const isLink = /^\s*https?:/i.test(line);
    const isCode = /^\s*[a-z][\w+.-]*:\S/i.test(line) && !isLink;
    const found = [...new Set([...links, ...mails])];
    const [one = ''] = found;
    // A bare one.
    const [bare = ''] = /(?<=[:–—-] +)\S*\.[a-z]{2,6}(?:\/\S*)?$/m.exec(line) ?? [];
    const opened = withScheme(bare, 'https://');
    if (!isCode && !one && opened !== bare) return `${opened}\n`;
    if (isCode || (!one && /(\d\D?){5}|\S\.\p{L}{2}|@/u.test(line.replace(STAMP, '')))) return line;
    const behind = line.slice(line.lastIndexOf(one) + one.length);
    // Addresses with spaces, and more than an address.
    const isNamed = STAMP.test(line) || /^\s+[-–—|(]/.test(behind);
    const goesOn =
      !isNamed &&
      /[\p{L}\d]/u.test(behind) &&
      (isLink || one.includes('?') || /[/=&?:]|\.\p{L}{2,4}\s*$/u.test(behind));
    const isWhole = found.length === 1 && !mails.length && goesOn;
    return isWhole ? line : found.map((address) => `${address}\n`).join('');
  });
}

/** Addresses that commas separate, without marks behind them, and without brackets that they do not open. */
function eachOf(found) {
  return (found.includes('?') ? [found] : found.split(/[,;|](?=https?:)/i)).map((address) => {
    let bare = address;
    const isClosed = () => bare.endsWith(')') && bare.split(')').length > bare.split('(').length;
    for (let marks = 0; marks < 9 && (isClosed() || /[.,;:!?'’\]\u200B-\u200D]$/.test(bare)); marks++)
      bare = bare.slice(0, -1);
    return bare;
  });
}

/** Lines that a scheme opens. @type {Record<string, RegExp>} */
const OPENED = {
  'https://':
    /^[ \t]*(?:[\w-]+\.)+(?!(?:js|md|py|pdf|docx?|xlsx?|png|jpe?g|txt|csv|zip)\s*$)[a-z]{2,}(?:[/:?#]\S*)?[ \t]*$/gim,
  'mailto:': /^[ \t]*[^\s:;,<>@]+@[^\s:;,<>@]+[ \t]*$/gm,
  'tel:':
    /^[ \t]*(?:(?:\+|\(?0\d)[\d ()-]{0,6}(?:\/?[\d ()-]{4,16}|\/ ?(?!\d\d\.[01])\d{2,3}(?:\.\d\d){2})|1800(?: \d{3}){2})$/gm,
};

/** The text, with the scheme before each line that it opens. */
export function withScheme(text, scheme) {
  const number = (line) => line.replace(/^\s*00(?=[2-9]\d{1,2} )/, '+').replaceAll(/\(0\)|[^\d+]/g, '');
  const bare = (line) => scheme + (scheme === 'tel:' ? number(line) : line.trim());
  return text.replaceAll(OPENED[scheme] ?? /(?!)/g, bare);
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
