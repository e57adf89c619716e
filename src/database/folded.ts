/** Names in the form in which they are searched: the same for spellings that differ in case, marks, signs or Unicode's form alone. */

import { type RawBuilder, sql } from 'kysely';

/**
 * Accents and umlauts of Latin, Greek and Cyrillic letters, which people leave out when they type in a hurry. Marks of other
 * scripts are vowels.
 */
const MARKS = /[\u0300-\u036F]/g;

/** Letters that Unicode does not take apart, and those that people type for them. */
const PLAIN: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', Ð: 'D', Ħ: 'H', Æ: 'AE', Œ: 'OE' };
const WHOLE = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Dashes, apostrophes and quotation marks that programs put in, and those of keyboards. */
const SIGNS = [
  [/[\u2010-\u2014\u2212]/g, '-'],
  [/[\u2018\u2019\u02BC`]/g, "'"],
  [/[\u201C-\u201E]/g, '"'],
] as const;

/**
 * A text without differences of case (`ß` is `SS`), of marks (`ö` is `O`, `ł` is `L`), of signs (`–` is `-`) and of compatibility (NFKC).
 * Databases differ in the characters whose case they know, so columns with this form are written here.
 */
export function folded(text: string): string {
  // An acute accent, which people type as an apostrophe, is a space and a mark in NFKC.
  const compatible = text.replaceAll('´', "'").normalize('NFKC');
  // Upper case last: lower case depends on the place of a Greek sigma.
  const marked = compatible.toLowerCase().toUpperCase().normalize('NFKD');
  const signed = SIGNS.reduce((rest, [signs, plain]) => rest.replaceAll(signs, plain), marked);
  return signed
    .replaceAll(MARKS, '')
    .replaceAll(WHOLE, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKC');
}

/**
 * The words of a search, each of which is looked for on its own, in the forms that count as found: `ä`, `ö` and `ü` find these letters
 * without dots before an `e`, and those find them.
 */
export function wordsOf(search: string): string[][] {
  const words = search.normalize('NFC').split(/\s+/);
  return words.filter((word) => word !== '').map(spellingsOf);
}

function spellingsOf(word: string): string[] {
  const plain = folded(word);
  const spelledOut = folded(word.replaceAll(/[äöü]/gi, (letter) => `${letter}e`));
  return [...new Set([plain, spelledOut, plain.replaceAll(/(?<=[AOU])E/g, '')])];
}

/** True for rows whose `folded_name` has the words of `search`. @param table `folded_name` is a column of it */
export function nameContains(table: 'jobs' | 'organisations' | 'people', search: string): RawBuilder<boolean> {
  return contains(`${table}.folded_name`, search);
}

/** True for rows whose `column` has the words of `search`. @param column has texts in the form of `folded` */
export function contains(column: string, search: string): RawBuilder<boolean> {
  const like = (spelling: string) => sql`${sql.ref(column)} like ${`%${literal(spelling)}%`} escape '!'`;
  const words = wordsOf(search).map((spellings) => sql`(${sql.join(spellings.map(like), sql` or `)})`);
  return sql<boolean>`(${sql.join([sql`1 = 1`, ...words], sql` and `)})`;
}

/** A text for LIKE, in which no character stands for others. The escape character is `!`. */
export function literal(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
