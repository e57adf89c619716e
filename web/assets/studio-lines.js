/** The lines that were typed in the studio: the codes that they make, and what is wrong with them. */

/** Lines that are named. */
const MOST_NAMED = 5;

/**
 * The texts of the codes, without blank lines.
 * @param {string} text
 */
export function textsOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Codes of networks and of people have semicolons, too. */
const CODES = /^\s*(?:wifi|mecard|bizcard|matmsg):/i;

/** A cell in quotes, which may have several lines. */
const QUOTED = /(?<=^|[\t;])"(?:[^"]|"")*"/gm;

/**
 * The character that separates the cells where lines are rows of a table, as the service finds it, too.
 * @param {string} text
 */
export function separatorOf(text) {
  const rows = text
    .replaceAll(QUOTED, '')
    .split('\n')
    .filter((row) => row.trim() !== '' && !CODES.test(row));
  return ['\t', ';'].find((mark) => {
    const counts = rows.map((row) => row.split(mark).length - 1).toSorted((one, other) => one - other);
    const usual = counts[counts.length >> 1] ?? 0;
    const even = counts.filter((count) => count === usual).length;
    return usual > 0 && 4 * even >= 3 * counts.length && (mark === '\t' || even > 1);
  });
}

/**
 * A sentence for each line that is too long for any code.
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
  return shortened(found, number);
}

/**
 * A sentence about lines that say the same as one before; none where none does.
 * @param {string} text
 * @param {Intl.NumberFormat} number
 */
export function repeated(text, number) {
  const firsts = new Map();
  const repeats = [];
  for (const [index, line] of text.split('\n').entries()) {
    const data = line.trim();
    if (data === '') continue;
    if (firsts.has(data)) repeats.push([index + 1, firsts.get(data)]);
    else firsts.set(data, index + 1);
  }
  if (repeats.length > 1) return [`${number.format(repeats.length)} lines repeat a line before them.`];
  const [line, first] = repeats[0] ?? [];
  return line === undefined ? [] : [`Line ${number.format(line)} repeats line ${number.format(first)}.`];
}

/** The first sentences, and how many there are besides. */
function shortened(sentences, number) {
  const rest = sentences.length - MOST_NAMED;
  return rest > 0 ? [...sentences.slice(0, MOST_NAMED), `And ${number.format(rest)} more.`] : sentences;
}
