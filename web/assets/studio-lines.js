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
          `Line ${number.format(index + 1)} is too long: ${number.format(length)} of ${number.format(limit)} characters.`,
        ]
      : [];
  });
  const rest = found.length - MOST_NAMED;
  return rest > 0 ? [...found.slice(0, MOST_NAMED), `And ${number.format(rest)} more.`] : found;
}

/**
 * A sentence about lines that say the same as one before; undefined where none does.
 * @param {string[]} texts
 * @param {Intl.NumberFormat} number
 */
export function repeated(texts, number) {
  const count = texts.length - new Set(texts).size;
  if (count === 0) return undefined;
  return count === 1
    ? 'One line is the same as a line before it.'
    : `${number.format(count)} lines are the same as a line before them.`;
}
