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

/** A cell in quotes, or a character in HTML. */
const CLOSED = /(?<=^|[\t;,])"[^"]*(?:""[^"]*)*"|&[a-z]{2,4};/gm;

/** A link or the like: they have semicolons, too. */
const ADDRESS = /^(?!\s*https?:[^\s;,]+(?:[;,]\s+\p{L}[^;,/]*|;\p{Lu}[^;,=/&?.]*)$)\s*[a-zA-Z][\w+.-]*:[^\s;]/u;

/**
 * The character that separates the cells where lines are rows of a table, as the service finds it; or ''.
 * @param {string} text
 */
export function separatorOf(text) {
  const rows = text
    .split('\n', LINES)
    .join('\n')
    .replaceAll(CLOSED, 'x')
    .split('\n')
    .filter((row) => row.trim() !== '');
  const tabs = rows.map((row) => row.split('\t').length);
  const usual = tabs.toSorted((one, other) => one - other)[tabs.length >> 1];
  const even = rows.filter((_, index) => tabs[index] === usual);
  // Lists have tabs before or after each text.
  if (4 * even.length >= 3 * rows.length && even.some((row) => row.trim().includes('\t'))) return '\t';
  const isTable = (by) => {
    const [cells = 1, ...others] = rows.map((row) => (ADDRESS.test(row) ? 1 : row.split(by).length));
    // Texts have commas, too.
    const least = by === ',' && !text.includes('://') ? 3 : 2;
    return cells >= least && others.length > 0 && others.every((count) => count === cells);
  };
  // A cell of several lines.
  if (/^"[^"\n]*\n[^"]*"$/m.test(text)) return ';';
  return [';', ',', '|'].find(isTable) ?? '';
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
